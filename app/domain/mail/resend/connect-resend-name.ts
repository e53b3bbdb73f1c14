/** The job that asks Resend to tell us what becomes of a seller's mails; apart from its handler, for who queues it. */
export const CONNECT_RESEND = { name: "connect-resend", maxAttempts: 8, patient: true };
