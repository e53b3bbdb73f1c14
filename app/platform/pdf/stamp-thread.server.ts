/** The thread that reads and writes the PDF, for `stamp-child.server.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import type { StampOutcome } from "#app/platform/pdf/stamp-child.server.ts";
import { StampError } from "#app/platform/pdf/stamp-error.ts";
import { stampPdf } from "#app/platform/pdf/stamp-pdf.server.ts";

try {
  const { pages, bytes } = await stampPdf(workerData.source, workerData.text);
  post({ pages, bytes: bytes as Uint8Array<ArrayBuffer> }, [bytes.buffer as ArrayBuffer]);
} catch (error) {
  if (!(error instanceof StampError)) throw error;
  post({ failed: error.kind }, []);
}

function post(outcome: StampOutcome, transferred: ArrayBuffer[]) {
  parentPort!.postMessage(outcome, transferred);
}
