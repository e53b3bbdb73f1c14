/**
 * Run by `stamp-child.server.ts` in a thread: stamps the PDF in `workerData` and posts the outcome. An error that is not the
 * PDF's fault ends the process.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { StampFailure } from "#app/kit/files/stamp-limits.ts";
import type { StampText } from "#app/platform/pdf/render-stamp.server.ts";
import { StampError } from "#app/platform/pdf/stamp-error.ts";
import { stampPdf } from "#app/platform/pdf/stamp-pdf.server.ts";

export type StampOutcome = { failed: StampFailure } | { pages: number; bytes: Uint8Array<ArrayBuffer> };

const { source, text } = workerData as { source: Uint8Array; text: StampText };
try {
  const { pages, bytes } = await stampPdf(source, text);
  post({ pages, bytes: bytes as Uint8Array<ArrayBuffer> }, [bytes.buffer as ArrayBuffer]);
} catch (error) {
  if (!(error instanceof StampError)) throw error;
  post({ failed: error.kind }, []);
}

function post(outcome: StampOutcome, transferred: ArrayBuffer[]) {
  parentPort!.postMessage(outcome, transferred);
}
