/** The job that tells UTMify what it does not know yet of one order. It sets its own pauses, and never holds up a payment. */
export const SEND_ORDER = { name: "send-order", maxAttempts: 25, priority: 5, patient: true };
