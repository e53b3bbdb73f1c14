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

/** Whether the seller's own Resend account sends: there is a key, and the domain of their address is verified. */
export function usesOwnAccount({
  hasKey,
  senderEmail,
  verifiedDomain,
}: Omit<SenderConfig, "contactEmail">): boolean {
  return Boolean(
    hasKey && senderEmail && verifiedDomain && domainOf(senderEmail) === verifiedDomain.toLowerCase(),
  );
}

/**
 * The seller's own Resend account and address where it sends; otherwise the platform's account, with the seller's name and
 * replies to the seller.
 */
export function chooseSender(config: SenderConfig, name: string, platformFrom: string): ChosenSender {
  const { senderEmail, contactEmail } = config;
  const replyTo = senderEmail || contactEmail;
  if (usesOwnAccount(config)) return { via: "seller", from: formatAddress(name, senderEmail), replyTo };
  return { via: "platform", from: formatAddress(name, bareAddress(platformFrom)), replyTo };
}
