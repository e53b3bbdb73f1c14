import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureAddress } from "#app/domain/picture/picture-address.server.ts";
import { ANIMATED_TEXT, PICTURE_FAILURE_TEXTS } from "#app/domain/picture/picture-texts.ts";
import { isTooSmall, maxPictureSize, type PictureUse } from "#app/kit/files/pictures.ts";

/** An uploaded picture, for the API and the dashboard's script. */
export type PictureAnswer = {
  id: string;
  place: PictureUse;
  state: "sending" | "preparing" | "ready" | "failed";
  /** For the seller: why it failed, or hints about it. */
  message: string | null;
  /** The value of the form field; null until it is ready. */
  url: string | null;
  width: number | null;
  height: number | null;
};

/** A hint for a picture with fewer pixels than its use shows. */
function tooSmallHints({ use, width, height }: PictureRow): string[] {
  if (width === null || height === null || !isTooSmall(use, { width, height })) return [];
  const ideal = maxPictureSize(use);
  return [
    `A imagem tem só ${width} × ${height} pontos e vai aparecer borrada. O ideal é ${ideal.width} × ${ideal.height}.`,
  ];
}

export function toPictureAnswer(row: PictureRow): PictureAnswer {
  const { id, use, failure, readyAt, scheduledAt, isAnimated, width, height } = row;
  const state = failure ? "failed" : readyAt ? "ready" : scheduledAt ? "preparing" : "sending";
  const hints = [...(isAnimated ? [ANIMATED_TEXT] : []), ...tooSmallHints(row)];
  const sellerMessage = failure ? PICTURE_FAILURE_TEXTS[failure] : hints.join(" ") || null;
  return { id, place: use, state, message: sellerMessage, url: pictureAddress(row), width, height };
}
