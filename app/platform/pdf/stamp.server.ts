import {
  type PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFParser,
  PDFRawStream,
  type PDFRef,
  PDFStreamWriter,
  PDFWriter,
  StandardFontEmbedder,
  StandardFonts,
} from "@cantoo/pdf-lib";
import type { FontNames } from "@cantoo/pdf-lib/standard-fonts";
import { MOST_STAMP_PAGES } from "#app/kit/files/stamps.ts";
import { stampDrawing } from "#app/platform/pdf/draw-stamp.server.ts";
import { type FoundPage, findPages } from "#app/platform/pdf/find-pages.server.ts";
import { StampRefused } from "#app/platform/pdf/stamp-refused.ts";

/**
 * A PDF with a line at the foot of each page, and all else as it was: links, forms and bookmarks are objects of their own.
 * @throws StampRefused
 */
export async function stampPdf(source: Uint8Array, words: StampWords): Promise<Stamped> {
  const context = await read(source);
  const pages = findPages(context, MOST_STAMP_PAGES);
  const font = StandardFontEmbedder.for(StandardFonts.Helvetica as unknown as FontNames);
  const fontRef = font.embedIntoContext(context);
  const opens = content(context, "q\n");
  /** Pages of one size share one drawing. */
  const drawings = new Map<string, PDFRef>();
  for (const page of pages) {
    const key = JSON.stringify([page.box, page.rotation, page.unit]);
    const drawing = drawings.get(key) ?? content(context, stampDrawing(page, words, font, FONT));
    drawings.set(key, drawing);
    drawOn(context, page, fontRef, opens, drawing);
  }
  return { pages: pages.length, bytes: await written(context) };
}

/** `after` is kept whole where a line is too long; of `name` the end is left out. */
export type StampWords = { before: string; name: string; after: string };
type Stamped = { pages: number; bytes: Uint8Array };

/** What the font is called on a page, where others of it may be called anything. */
const FONT = "LicencaF0";

async function read(source: Uint8Array): Promise<PDFContext> {
  const context = await orBroken(async () => PDFParser.forBytesWithOptions(source).parseDocument());
  if (context.trailerInfo.Encrypt) throw new StampRefused("locked");
  const catalog = context.lookup(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict)) throw new StampRefused("broken");
  if (isSigned(catalog)) throw new StampRefused("signed");
  // What tells a browser how to show the first page before the rest came: it tells of the file as it was.
  for (const [ref, object] of context.enumerateIndirectObjects())
    if (object instanceof PDFDict && object.has(PDFName.of("Linearized"))) context.delete(ref);
  return context;
}

/** A signature vouches for each byte: with a stamp it would be told to be forged. */
function isSigned(catalog: PDFDict): boolean {
  const form = catalog.lookup(PDFName.of("AcroForm"));
  const flags = form instanceof PDFDict ? form.lookup(PDFName.of("SigFlags")) : undefined;
  return catalog.has(PDFName.of("Perms")) || (flags instanceof PDFNumber && (flags.asNumber() & 1) === 1);
}

function content(context: PDFContext, operators: string): PDFRef {
  return context.register(PDFRawStream.of(context.obj({}), new TextEncoder().encode(operators)));
}

/** Puts a drawing over a page: what it does not close is closed first, and its own dictionary of fonts has one more. */
function drawOn(
  context: PDFContext,
  { node, resources, contents }: FoundPage,
  font: PDFRef,
  opens: PDFRef,
  drawing: PDFRef,
): void {
  // Pages may share theirs: this one gets a dictionary of its own.
  const own = resources ? resources.clone(context) : context.obj({});
  const fonts = own.lookup(PDFName.of("Font"));
  const ownFonts = fonts instanceof PDFDict ? fonts.clone(context) : context.obj({});
  ownFonts.set(PDFName.of(FONT), font);
  own.set(PDFName.of("Font"), ownFonts);
  node.set(PDFName.of("Resources"), own);
  node.set(PDFName.of("Contents"), context.obj([opens, ...contents, drawing]));
}

/** As it came: in streams of objects, which old readers do not know, only where it had them. */
async function written(context: PDFContext): Promise<Uint8Array> {
  const isPacked = context
    .enumerateIndirectObjects()
    .some(([, object]) => object instanceof PDFRawStream && isPack(object));
  const Writer = isPacked ? PDFStreamWriter : PDFWriter;
  return Writer.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer();
}

function isPack(stream: PDFRawStream): boolean {
  return stream.dict.get(PDFName.of("Type")) === PDFName.of("ObjStm");
}

async function orBroken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw new StampRefused("broken");
  }
}
