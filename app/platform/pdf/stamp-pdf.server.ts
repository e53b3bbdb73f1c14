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
import { MAX_STAMP_PAGES } from "#app/kit/files/stamp-limits.ts";
import { type FoundPage, findPages } from "#app/platform/pdf/find-pages.server.ts";
import { renderStamp, type StampText } from "#app/platform/pdf/render-stamp.server.ts";
import { StampError } from "#app/platform/pdf/stamp-error.ts";

/**
 * A PDF with a line at the foot of each page and all else unchanged: links, forms and bookmarks are objects of their
 * own.
 * @throws StampError
 */
export async function stampPdf(source: Uint8Array, stampText: StampText): Promise<StampedPdf> {
  const context = await readDocument(source);
  const pages = findPages(context, MAX_STAMP_PAGES);
  const font = StandardFontEmbedder.for(StandardFonts.Helvetica as unknown as FontNames);
  const fontRef = font.embedIntoContext(context);
  const saveState = registerStream(context, "q\n");
  /** Pages of one size share one stream. */
  const stampStreams = new Map<string, PDFRef>();
  for (const page of pages) {
    const key = JSON.stringify([page.box, page.rotation, page.unit]);
    const stampStream =
      stampStreams.get(key) ?? registerStream(context, renderStamp(page, stampText, font, FONT_NAME));
    stampStreams.set(key, stampStream);
    addToPage(context, page, fontRef, saveState, stampStream);
  }
  return { pages: pages.length, bytes: await serialize(context) };
}

type StampedPdf = { pages: number; bytes: Uint8Array };

/** Name of the font on a page; must not collide with the page's own. */
const FONT_NAME = "LicencaF0";

async function readDocument(source: Uint8Array): Promise<PDFContext> {
  const context = await orBroken(async () => PDFParser.forBytesWithOptions(source).parseDocument());
  if (context.trailerInfo.Encrypt) throw new StampError("locked");
  const catalog = context.lookup(context.trailerInfo.Root);
  if (!(catalog instanceof PDFDict)) throw new StampError("broken");
  if (isSigned(catalog)) throw new StampError("signed");
  // Linearization data describes the original file and would be wrong.
  for (const [ref, object] of context.enumerateIndirectObjects())
    if (object instanceof PDFDict && object.has(PDFName.of("Linearized"))) context.delete(ref);
  return context;
}

/** A signature covers every byte: a stamp would make it invalid. */
function isSigned(catalog: PDFDict): boolean {
  const form = catalog.lookup(PDFName.of("AcroForm"));
  const flags = form instanceof PDFDict ? form.lookup(PDFName.of("SigFlags")) : undefined;
  return catalog.has(PDFName.of("Perms")) || (flags instanceof PDFNumber && (flags.asNumber() & 1) === 1);
}

function registerStream(context: PDFContext, operators: string): PDFRef {
  return context.register(PDFRawStream.of(context.obj({}), new TextEncoder().encode(operators)));
}

/** Adds a stream over a page: closes the graphics state the page left open, and adds the font to its resources. */
function addToPage(
  context: PDFContext,
  { node, resources, contents }: FoundPage,
  font: PDFRef,
  saveState: PDFRef,
  stampStream: PDFRef,
): void {
  // Pages may share resources: this one gets its own copy.
  const own = resources ? resources.clone(context) : context.obj({});
  const fonts = own.lookup(PDFName.of("Font"));
  const ownFonts = fonts instanceof PDFDict ? fonts.clone(context) : context.obj({});
  ownFonts.set(PDFName.of(FONT_NAME), font);
  own.set(PDFName.of("Font"), ownFonts);
  node.set(PDFName.of("Resources"), own);
  node.set(PDFName.of("Contents"), context.obj([saveState, ...contents, stampStream]));
}

/** Uses object streams, which old readers do not know, only if the source had them. */
async function serialize(context: PDFContext): Promise<Uint8Array> {
  const hasObjectStreams = context
    .enumerateIndirectObjects()
    .some(([, object]) => object instanceof PDFRawStream && isObjectStream(object));
  const Writer = hasObjectStreams ? PDFStreamWriter : PDFWriter;
  return Writer.forContext(context, Number.POSITIVE_INFINITY).serializeToBuffer();
}

function isObjectStream(stream: PDFRawStream): boolean {
  return stream.dict.get(PDFName.of("Type")) === PDFName.of("ObjStm");
}

async function orBroken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    throw new StampError("broken");
  }
}
