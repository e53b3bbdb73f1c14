import { bareAddress, domainOf, formatAddress } from "#app/domain/mail/message/mail-address.ts";

/** What decides which account sends a seller's mail. */
export type SenderConfig = {
  hasKey: boolean;
  /** As the seller typed it; empty where they did not. */
  senderEmail: string;
  /** The domain they verified, or null. */
  verifiedDomain: string | null;
  /** Where replies go while the platform sends the mail. */
  contactEmail: string;
};

/** The From and Reply-To of a mail and the account that sends it. */
export type ChosenSender = { via: "seller" | "platform"; from: string; replyTo: string };

/**
 * The seller's own Resend account and address when there is a key and the address's domain is verified; otherwise the
 * platform's account, with the seller's name and replies to the seller.
 */
export function chooseSender(
  { hasKey, senderEmail, verifiedDomain, contactEmail }: SenderConfig,
  name: string,
  platformFrom: string,
): ChosenSender {
  const replyTo = senderEmail || contactEmail;
  if (hasKey && senderEmail && verifiedDomain && domainOf(senderEmail) === verifiedDomain.toLowerCase())
    return { via: "seller", from: formatAddress(name, senderEmail), replyTo };
  return { via: "platform", from: formatAddress(name, bareAddress(platformFrom)), replyTo };
}
