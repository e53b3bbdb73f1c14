import { log } from "#app/platform/log.server.ts";

/**
 * Works on a claimed row and renews its lease meanwhile: nobody else takes it while its worker lives, however slow a service
 * is. Once the work has ended no renewal follows, so what is written then about when the row is due stays.
 * @param lease in milliseconds
 */
export async function renewWhile<T>(
  lease: number,
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let renewing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch((err: unknown) => log.warn({ err }, "lease not renewed"));
  }, lease / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}
