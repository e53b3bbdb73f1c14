/**
 * The job that sends one mail. Apart from its handler, so that queueing does not load the senders. A thousand mails
 * waiting for their turn stand behind whatever else is to be done: payments first.
 */
export const SEND_MAIL = { name: "send-mail", maxAttempts: 12, priority: 10, patient: true };
