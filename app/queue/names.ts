/**
 * The jobs that are queued, and the pumps that are told, from below the room that handles them: their names and how they
 * are tried. Apart from their handlers, so that whoever queues one loads no more than this.
 */

/** The job that asks Resend how a seller's domain stands. */
export const CHECK_DOMAIN = { name: "check-domain", maxAttempts: 8, patient: true };

/** The job that asks Resend to tell us what becomes of a seller's mails; apart from its handler, for who queues it. */
export const CONNECT_RESEND = { name: "connect-resend", maxAttempts: 8, patient: true };

/** The pump that sends mails. */
export const MAILS = "mails";

/** The pump that reminds buyers of an unpaid PIX. */
export const REMINDERS = "reminders";

/** The pump that tells webhooks and pixels. */
export const NEWS = "news";

/** The pump that prepares sellers' pictures. */
export const PICTURES = "pictures";

/** The pump that asks the provider about charges. */
export const CHECKS = "checks";

/** The job that tells UTMify what it does not know yet of one order. It sets its own pauses, and never holds up a payment. */
export const SEND_ORDER = { name: "send-order", maxAttempts: 25, priority: 5, patient: true };
