/** The job that asks the provider about one charge. */
export const CHECK_CHARGE = { name: "check-charge", maxAttempts: 25 };
