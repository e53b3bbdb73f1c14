import { createHash } from "node:crypto";

/** SHA-256 in lower-case hex, as services compare it. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** A list of one hash, as services take it; undefined where there is nothing to hash. */
export function hashed(text: string | null | undefined): string[] | undefined {
  return text ? [sha256(text)] : undefined;
}

/** An e-mail normalized as all services hash it. */
export function plainEmail(email: string | null): string | null {
  return email?.trim().toLowerCase() ?? null;
}
