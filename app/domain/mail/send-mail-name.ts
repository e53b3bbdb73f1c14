/** The job that sends one mail. Apart from its handler, so that queueing does not load the senders. */
export const SEND_MAIL = { name: "send-mail", maxAttempts: 12 };
