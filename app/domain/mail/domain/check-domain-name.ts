/** The job that asks Resend how a seller's domain stands. */
export const CHECK_DOMAIN = { name: "check-domain", maxAttempts: 8, patient: true };
