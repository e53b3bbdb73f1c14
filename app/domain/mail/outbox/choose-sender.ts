import { bareAddress, domainOf, formatAddress } from "#app/domain/mail/message/mail-address.ts";

/** What decides through whose account a seller's mail leaves. */
export type SenderConfig = {
  hasKey: boolean;
  /** As the seller typed it; empty where they did not. */
  senderEmail: string;
  /** The domain they verified, or null. */
  verifiedDomain: string | null;
  /** Where answers go while the mail leaves by the platform. */
  contactEmail: string;
};

/** The From and Reply-To of a mail and the account it leaves by. */
export type ChosenSender = { via: "seller" | "platform"; from: string; replyTo: string };

/**
 * By the seller's own Resend account from their own address when there is a key and the address's domain is verified;
 * otherwise by the platform's, which shows the seller's name and sends answers to them.
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
