import type { StampFailure } from "#app/kit/files/stamp-limits.ts";

/** Why a PDF cannot be stamped. */
export class StampError extends Error {
  readonly kind: StampFailure;
  constructor(kind: StampFailure) {
    super(`the PDF is ${kind}`);
    this.kind = kind;
  }
}
