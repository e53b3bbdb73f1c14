/** The domain of what is written instead of a closed account's address: `.invalid` never exists (RFC 2606). */
export const CLOSED_DOMAIN = "conta.invalid";

/** Whether nobody has this address, since its account was closed and anonymized. */
export function isClosedAddress(email: string): boolean {
  return email.endsWith(`@${CLOSED_DOMAIN}`);
}
