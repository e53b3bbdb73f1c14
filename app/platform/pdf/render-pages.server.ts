import {
  type Block,
  beginPdf,
  layOut,
  PAGE,
  type PagePart,
  renderLines,
  stackBlocks,
} from "#app/platform/pdf/page-layout.server.ts";

const LAYOUT = { scale: 0.9, lines: 4 };
const CONTENT_HEIGHT = PAGE.height - 2 * PAGE.margin;

/** As many A4 pages as the parts need, numbered. The caller limits how many parts there are. */
export async function renderPagesPdf(title: string, parts: PagePart[]): Promise<Uint8Array<ArrayBuffer>> {
  const { pdf, fonts, inks, parts: printable } = await beginPdf(title, parts);
  const pages: Block[][] = [[]];
  let left = CONTENT_HEIGHT;
  const blocks = printable.map((part) => layOut(part, LAYOUT, fonts));
  for (const [at, block] of blocks.entries()) {
    // A heading stays with what follows it.
    const following = printable[at]!.kind === "heading" ? (blocks[at + 1]?.height ?? 0) : 0;
    if (block.height + following > left && pages.at(-1)!.length > 0) {
      pages.push([]);
      left = CONTENT_HEIGHT;
    }
    pages.at(-1)!.push(block);
    left -= block.height;
  }
  for (const [at, page] of pages.entries()) {
    const sheet = pdf.addPage([PAGE.width, PAGE.height]);
    renderLines(sheet, stackBlocks(page), inks);
    const number = `Página ${at + 1} de ${pages.length}`;
    sheet.drawText(number, { x: PAGE.margin, y: PAGE.margin / 2, size: 8, font: fonts.plain });
  }
  return (await pdf.save()) as Uint8Array<ArrayBuffer>;
}
