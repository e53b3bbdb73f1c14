import {
  beginPdf,
  layOut,
  PAGE,
  type PagePart,
  renderLines,
  stackBlocks,
} from "#app/platform/pdf/page-layout.server.ts";

/** Font sizes and line limits, used in this order until all parts fit. */
const LAYOUTS = [
  { scale: 1, lines: 4 },
  { scale: 0.85, lines: 4 },
  { scale: 0.7, lines: 3 },
  { scale: 0.7, lines: 1 },
];

/** One A4 page. Content that does not fit is set smaller, then cut. */
export async function renderOnePagePdf(title: string, parts: PagePart[]): Promise<Uint8Array> {
  const { pdf, fonts, inks, parts: printable } = await beginPdf(title, parts);
  const layouts = LAYOUTS.map((layout) => stackBlocks(printable.map((part) => layOut(part, layout, fonts))));
  const chosen = layouts.find((lines) => lines.every(({ y }) => y >= PAGE.margin)) ?? layouts.at(-1)!;
  renderLines(pdf.addPage([PAGE.width, PAGE.height]), chosen, inks);
  return pdf.save();
}
