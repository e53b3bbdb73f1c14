import {
  decodePDFRawStream,
  degrees,
  PDFArray,
  PDFDocument,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  StandardFonts,
} from "@cantoo/pdf-lib";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** A PDF with a text on each page. `each` changes a page. */
export async function pdf(
  pages = 3,
  each: (page: PDFPage, at: number) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const made = await PDFDocument.create();
  const font = await made.embedFont(StandardFonts.Helvetica);
  for (let at = 0; at < pages; at++) {
    const page = made.addPage([420, 595]);
    page.drawText(`Página ${at + 1}`, { x: 40, y: 500, font, size: 20 });
    each(page, at);
  }
  return new Uint8Array(await made.save());
}

/** One page turned to each side, of which only a part is shown. */
export function turnedPdf() {
  return pdf(4, (page, at) => {
    page.setRotation(degrees(at * 90));
    page.setCropBox(30, 40, 300, 500);
  });
}

/** As other programs write them: objects written by hand, after a catalog with one page. */
export function handmade(objects = "", trailer = ""): Uint8Array<ArrayBuffer> {
  return bytesOf(
    `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n` +
      `3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>\nendobj\n${objects}\ntrailer\n<</Root 1 0 R/Size 99${trailer}>>\n%%EOF\n`,
  );
}

/** One that needs a password. */
export const lockedPdf = () => handmade("9 0 obj\n<</Filter/Standard/V 1/R 2>>\nendobj", "/Encrypt 9 0 R");

/** One that keeps its reader busy for a second or two. */
export const slowPdf = (objects = 80_000) =>
  handmade(Array.from({ length: objects }, (_, at) => `${at + 100} 0 obj\n<</A ${at}>>\nendobj\n`).join(""));

/** The stamp of each page: the texts of its last content stream. */
export async function stampsOf(bytes: Uint8Array): Promise<string[][]> {
  const read = await PDFDocument.load(bytes);
  return read.getPages().map((page) => {
    const drawing = lastContentStream(page);
    return [...drawing.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex]) =>
      new TextDecoder("windows-1252").decode(Buffer.from(hex!, "hex")),
    );
  });
}

/** The operators of a page's last stream. */
export function lastContentStream(page: PDFPage): string {
  const contents = page.node.Contents();
  const last = contents instanceof PDFArray ? contents.asArray().at(-1) : contents;
  const stream = last instanceof PDFRef ? page.doc.context.lookup(last) : last;
  return decodeStream(stream);
}

/** The text of a file and its number of pages. */
export async function readPdf(bytes: Uint8Array): Promise<{ text: string; pages: number }> {
  const read = await PDFDocument.load(bytes);
  const streams = read.context.enumerateIndirectObjects().map(([, object]) => decodeStream(object));
  const words = streams.flatMap((stream) =>
    [...stream.matchAll(/<([0-9A-F]+)> Tj/gi)].map(([, hex]) => hex!),
  );
  const text = words.map((hex) => new TextDecoder("windows-1252").decode(Buffer.from(hex, "hex"))).join("\n");
  return { text, pages: read.getPageCount() };
}

/** Empty for what is no stream, and for a picture's. */
function decodeStream(object: unknown): string {
  if (!(object instanceof PDFRawStream)) return "";
  const isPicture = String(object.dict).includes("/Subtype /Image");
  return isPicture ? "" : Buffer.from(decodePDFRawStream(object).decode()).toString("latin1");
}
