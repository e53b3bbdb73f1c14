/**
 * The jobs that are queued from below the room that handles them: their names and how they are tried. Apart from their
 * handlers, so that whoever queues one loads no more than this.
 */

/** The job that asks Resend how a seller's domain stands. */
export const CHECK_DOMAIN = { name: "check-domain", maxAttempts: 8, patient: true };

/**
 * The job that sends one mail. Apart from its handler, so that queueing does not load the senders. A thousand mails
 * waiting for their turn stand behind whatever else is to be done: payments first.
 */
export const SEND_MAIL = { name: "send-mail", maxAttempts: 12, priority: 10, patient: true };

/** The job that asks Resend to tell us what becomes of a seller's mails; apart from its handler, for who queues it. */
export const CONNECT_RESEND = { name: "connect-resend", maxAttempts: 8, patient: true };

/** The job that mails a buyer their waiting PIX; apart from its handler, so that making a PIX loads no mail. */
export const ANNOUNCE_PIX = { name: "announce-pix", maxAttempts: 8, priority: 5 };

/** The job that reminds a buyer of an unpaid PIX: the first, second or third time. */
export const REMIND_BUYER = { name: "remind-buyer", maxAttempts: 5, priority: 5, patient: true };

/** The pump that asks the provider about charges. */
export const CHECKS = "checks";

/** The job that tells UTMify what it does not know yet of one order. It sets its own pauses, and never holds up a payment. */
export const SEND_ORDER = { name: "send-order", maxAttempts: 25, priority: 5, patient: true };
