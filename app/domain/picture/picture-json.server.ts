import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureAddress } from "#app/domain/picture/picture-address.server.ts";
import { ANIMATED_WORDS, PICTURE_FAILURE_WORDS } from "#app/domain/picture/picture-words.ts";
import type { PicturePlace } from "#app/kit/files/pictures.ts";

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

export function pictureJson(row: PictureRow): SentPicture {
  const { id, place, failure, readyAt, dueAt, isAnimated, width, height } = row;
  const state = failure ? "failed" : readyAt ? "ready" : dueAt ? "preparing" : "sending";
  const told = failure ? PICTURE_FAILURE_WORDS[failure] : isAnimated ? ANIMATED_WORDS : null;
  return { id, place, state, message: told, url: pictureAddress(row), width, height };
}
