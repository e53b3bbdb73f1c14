import { inflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";

/** The text of a file and its number of pages. */
export async function readPdf(bytes: Uint8Array): Promise<{ text: string; pages: number }> {
  const raw = Buffer.from(bytes).toString("latin1");
  const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body]) => {
    try {
      return inflateSync(Buffer.from(body!, "latin1")).toString("latin1");
    } catch {
      return "";
    }
  });
  const words = streams.flatMap((stream) =>
    [...stream.matchAll(/<([0-9A-F]+)> Tj/gi)].map(([, hex]) => hex!),
  );
  const text = words.map((hex) => new TextDecoder("windows-1252").decode(Buffer.from(hex, "hex"))).join("\n");
  return { text, pages: (await PDFDocument.load(bytes)).getPageCount() };
}
