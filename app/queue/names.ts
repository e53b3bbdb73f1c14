/**
 * Names and settings of jobs and queues. Separate from their handlers, so that modules that queue one do not load more than
 * this.
 */

/** Checks a seller's domain at Resend. */
export const CHECK_DOMAIN = { name: "check-domain", maxAttempts: 8, slow: true };

/** Registers our webhook for a seller's mails at Resend. */
export const CONNECT_RESEND = { name: "connect-resend", maxAttempts: 8, slow: true };

/** Mails a purchase by the platform's account, where an account accepted the mail and then could not send it. */
export const MAIL_BY_PLATFORM = { name: "mail-by-platform", maxAttempts: 25 };

/** Sends automatic refunds to their providers. */
export const SEND_REFUNDS = { name: "send-refunds", maxAttempts: 3 };

/** Sends mails. */
export const MAILS = "mails";

/** Reminds buyers of an unpaid PIX. */
export const REMINDERS = "reminders";

/** Sends deliveries to webhooks, pixels, member areas and UTMify (`claimDeliveries`, then `sendDelivery`). */
export const DELIVERIES = "deliveries";

/** Processes sellers' pictures. */
export const PICTURES = "pictures";

/** Anonymizes buyers who requested erasure. */
export const ERASURES = "erasures";

/** Stamps PDFs. */
export const STAMPED_COPIES = "stamped-copies";

/** Tests the webhooks that sellers set up at providers. */
export const WEBHOOK_TESTS = "webhook-tests";

/** Checks charges at the provider (`charge-check-queue`). */
export const CHECKS = "checks";

/** Checks charges at the pace of their gateway account. */
export const PACED_CHECKS = "paced-checks";

/** Gets the providers' statements. */
export const STATEMENTS = "statements";
