/** The job that mails a buyer their waiting PIX; apart from its handler, so that making a PIX loads no mail. */
export const ANNOUNCE_PIX = { name: "announce-pix", maxAttempts: 8, priority: 5 };
