/**
 * A day of an account whose statement is due, as it was claimed: `leasedUntil` identifies the claim. `sealedKey` is the
 * account's current key, null where it has none.
 */
export type DueStatement = {
  sellerId: string;
  provider: string;
  day: string;
  keyId: string | null;
  sealedKey: string | null;
  taskId: string | null;
  requestedAt: Date | null;
  attempts: number;
  leasedUntil: Date;
};
