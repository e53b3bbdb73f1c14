import type { StampFailure } from "#app/kit/files/stamps.ts";

/** Why a PDF cannot be stamped. */
export class StampRefused extends Error {
  readonly kind: StampFailure;
  constructor(kind: StampFailure) {
    super(`the PDF is ${kind}`);
    this.kind = kind;
  }
}
