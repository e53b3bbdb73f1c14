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

/** The pump that tells webhooks, pixels, member areas and UTMify. */
export const NEWS = "news";

/** The pump that prepares sellers' pictures. */
export const PICTURES = "pictures";

/** The pump that forgets buyers who asked for it. */
export const ERASURES = "erasures";

/** The pump that stamps PDFs. */
export const STAMPS = "stamps";

/** The pump that asks the provider about charges. */
export const CHECKS = "checks";

/** The pump that checks charges at the pace of their gateway account. */
export const PACED_CHECKS = "paced-checks";
