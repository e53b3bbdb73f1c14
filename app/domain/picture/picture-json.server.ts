import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureAddress } from "#app/domain/picture/picture-address.server.ts";
import { ANIMATED_WORDS, PICTURE_FAILURE_WORDS } from "#app/domain/picture/picture-words.ts";
import { isTooSmall, mostOf, type PicturePlace } from "#app/kit/files/pictures.ts";

/** A picture that was sent, as the API and the desk's script know it. */
export type SentPicture = {
  id: string;
  place: PicturePlace;
  state: "sending" | "preparing" | "ready" | "failed";
  /** For the seller: why it failed, or what became of it. */
  message: string | null;
  /** What goes into the field; null until it is ready. */
  url: string | null;
  width: number | null;
  height: number | null;
};

/** What is said of a picture with fewer points than its place shows. */
function smallWords({ place, width, height }: PictureRow): string[] {
  if (width === null || height === null || !isTooSmall(place, { width, height })) return [];
  const best = mostOf(place);
  return [
    `A imagem tem só ${width} × ${height} pontos e vai aparecer borrada. O ideal é ${best.width} × ${best.height}.`,
  ];
}

export function pictureJson(row: PictureRow): SentPicture {
  const { id, place, failure, readyAt, dueAt, isAnimated, width, height } = row;
  const state = failure ? "failed" : readyAt ? "ready" : dueAt ? "preparing" : "sending";
  const hints = [...(isAnimated ? [ANIMATED_WORDS] : []), ...smallWords(row)];
  const told = failure ? PICTURE_FAILURE_WORDS[failure] : hints.join(" ") || null;
  return { id, place, state, message: told, url: pictureAddress(row), width, height };
}
