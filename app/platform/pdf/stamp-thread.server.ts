/** The thread that reads and writes the PDF, for `stamp-child.server.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { stampPdf } from "#app/platform/pdf/stamp.server.ts";
import type { Done } from "#app/platform/pdf/stamp-child.server.ts";
import { StampRefused } from "#app/platform/pdf/stamp-refused.ts";

try {
  const { pages, bytes } = await stampPdf(workerData.source, workerData.words);
  tell({ pages, bytes: bytes as Uint8Array<ArrayBuffer> }, [bytes.buffer as ArrayBuffer]);
} catch (error) {
  if (!(error instanceof StampRefused)) throw error;
  tell({ failed: error.kind }, []);
}

function tell(done: Done, handed: ArrayBuffer[]) {
  parentPort!.postMessage(done, handed);
}
