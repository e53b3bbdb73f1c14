import type { PictureFailure, PictureFormat } from "#app/kit/files/pictures.ts";

/** What is wrong with a picture. */
export class PictureError extends Error {
  readonly kind: PictureFailure;
  constructor(kind: PictureFailure) {
    super(`the picture is ${kind}`);
    this.kind = kind;
  }
}

/** One size and format of a picture; `bytes` is its file size. */
export type ImageVariant = { width: number; height: number; format: PictureFormat; bytes: number };

/** An encoded picture; `bytes` holds those of each variant, in order. */
export type EncodedPicture = {
  width: number;
  height: number;
  fallback: "jpg" | "png";
  /** The source was animated; only its first frame is left. */
  isAnimated: boolean;
  variants: ImageVariant[];
  bytes: Buffer[];
};
