import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { StorageFull } from "#app/platform/storage/blob-store.ts";

/** Runs work that needs space in the blob store. @throws Refusal unavailable (`storage_full`) where there is none */
export async function refuseWhenFull<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error;
    log.error("no room left for files");
    throw new Refusal(
      "unavailable",
      "Não há espaço para guardar o arquivo agora. O que já foi enviado fica: tente de novo mais tarde, e o envio continua de onde parou.",
      "file",
      60,
      "storage_full",
    );
  }
}
