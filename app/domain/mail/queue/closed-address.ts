/**
 * The domain of what is written instead of a closed account's address, or of a buyer's whom a restore has anonymized again:
 * `.invalid` never exists (RFC 2606).
 */
export const CLOSED_DOMAIN = "conta.invalid";

/** Whether nobody has this address, since its owner was anonymized. */
export function isClosedAddress(email: string): boolean {
  return email.endsWith(`@${CLOSED_DOMAIN}`);
}
