/** The job that reminds a buyer of an unpaid PIX: the first, second or third time. */
export const REMIND_BUYER = { name: "remind-buyer", maxAttempts: 5, priority: 5, patient: true };
