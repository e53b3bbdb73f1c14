import type { PictureFailure, PictureFormat } from "#app/kit/files/pictures.ts";

/** What is wrong with a picture. */
export class PressFailure extends Error {
  readonly kind: PictureFailure;
  constructor(kind: PictureFailure) {
    super(`the picture is ${kind}`);
    this.kind = kind;
  }
}

/** One size and format of a picture; `bytes` is what it weighs. */
export type Variant = { width: number; height: number; format: PictureFormat; bytes: number };

/** A picture made ready; `bytes` has those of each variant, in order. */
export type Pressed = {
  width: number;
  height: number;
  fallback: "jpg" | "png";
  /** Only its first frame is left. */
  isAnimated: boolean;
  variants: Variant[];
  bytes: Buffer[];
};
