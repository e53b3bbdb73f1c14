import { PDFDict, PDFDocument, PDFHexString, PDFName, StandardFonts } from "@cantoo/pdf-lib";
import { expect, test } from "vitest";
import { MAX_STAMP_PAGES } from "#app/kit/files/stamp-limits.ts";
import { stampPdf } from "#app/platform/pdf/stamp-pdf.server.ts";
import {
  handmade,
  lastContentStream,
  lockedPdf,
  pdf,
  stampsOf,
  turnedPdf,
} from "#tests/support/files/pdfs.ts";

const TEXTS = {
  before: "Licenciado para",
  name: "João d'Ávila",
  after: "joao@exemplo.com.br · pedido 1a2b3c4d",
};
const LINE = "Licenciado para João d'Ávila · joao@exemplo.com.br · pedido 1a2b3c4d";
const named = (name: string) => ({ ...TEXTS, name });
const lineOf = async (name: string) =>
  (await stampsOf((await stampPdf(await pdf(1), named(name))).bytes))[0]![0];

test("each page has the line, once as its light edge and once in dark", async () => {
  const { pages, bytes } = await stampPdf(await pdf(3), TEXTS);
  expect(pages).toBe(3);
  expect(await stampsOf(bytes)).toEqual([1, 2, 3].map(() => [LINE, LINE]));
});

test("two hundred pages share one content stream", async () => {
  const source = await pdf(200);
  const { bytes } = await stampPdf(source, TEXTS);
  expect(bytes.length - source.length).toBeLessThan(20_000);
  expect(await stampsOf(bytes)).toHaveLength(200);
});

test("on a rotated and cropped page the line is at the foot as it is read", async () => {
  const { bytes } = await stampPdf(await turnedPdf(), TEXTS);
  const read = await PDFDocument.load(bytes);
  // The position of the stream's lower left corner: of the visible area, after rotation.
  const corners = read.getPages().map((page) => /\n(.*) cm\n/.exec(lastContentStream(page))![1]);
  expect(corners).toEqual(["1 0 0 1 30 40", "0 1 -1 0 330 40", "-1 0 0 -1 330 540", "0 -1 1 0 30 540"]);
});

test.each([
  ["Łukasz Őri Nguyễn", "Lukasz Ori Nguyen"],
  ["José “Zé” Ção – Œuvre", "José “Zé” Ção – Œuvre"],
  ["Ana 🎸 王芳", "Ana"],
  ["a\\b(c)<d>", "a\\b(c)<d>"],
  ["\ud83d", ""],
])("a buyer called %s is printed as %s", async (name, view) => {
  const rest = "joao@exemplo.com.br · pedido 1a2b3c4d";
  expect(await lineOf(name)).toBe(`Licenciado para ${view ? `${view} · ` : ""}${rest}`);
});

test("of a name that is too long the end is left out, never the e-mail", async () => {
  const line = (await lineOf("Maria ".repeat(60)))!;
  expect(line).toMatch(/^Licenciado para Maria .*… · joao@exemplo.com.br · pedido 1a2b3c4d$/);
  expect(line.length).toBeLessThan(220);
});

test("links, bookmarks and forms are as they were", async () => {
  const made = await PDFDocument.load(await pdf(2));
  const [first, second] = made.getPages();
  const { context } = made;
  const link = context.register(
    context.obj({ Type: "Annot", Subtype: "Link", Rect: [0, 0, 99, 99], Dest: [second!.ref, "Fit"] }),
  );
  first!.node.set(PDFName.of("Annots"), context.obj([link]));
  const field = made.getForm().createTextField("nome");
  field.setText("escrito");
  field.addToPage(second!, { x: 10, y: 10, width: 90, height: 20 });
  const mark = context.register(
    context.obj({ Title: PDFHexString.fromText("Capítulo"), Dest: [second!.ref, "Fit"] }),
  );
  made.catalog.set(
    PDFName.of("Outlines"),
    context.register(context.obj({ First: mark, Last: mark, Count: 1 })),
  );
  const { bytes } = await stampPdf(new Uint8Array(await made.save()), TEXTS);

  const read = await PDFDocument.load(bytes);
  expect(read.getForm().getTextField("nome").getText()).toBe("escrito");
  const annots = read.getPage(0).node.Annots()!;
  const target = annots.lookup(0, PDFDict).lookup(PDFName.of("Dest")) as unknown as {
    get(at: number): unknown;
  };
  expect(target.get(0)).toBe(read.getPage(1).ref);
  const outlines = read.catalog.lookup(PDFName.of("Outlines"), PDFDict);
  expect(outlines.lookup(PDFName.of("First"), PDFDict).get(PDFName.of("Title"))).toEqual(
    PDFHexString.fromText("Capítulo"),
  );
});

test("pages that share their fonts keep them, and each has the stamp's", async () => {
  const shared =
    "2 0 obj\n<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/Resources 5 0 R/MediaBox[0 0 200 200]>>\nendobj\n" +
    "3 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\n4 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\n" +
    "5 0 obj\n<</Font<</F1 6 0 R>>>>\nendobj\n6 0 obj\n<</Type/Font/Subtype/Type1/BaseFont/Courier>>\nendobj";
  const read = await PDFDocument.load((await stampPdf(handmade(shared), TEXTS)).bytes);
  for (const page of read.getPages()) {
    const fonts = page.node.Resources()!.lookup(PDFName.of("Font"), PDFDict);
    expect(fonts.keys()).toHaveLength(2);
    const named = fonts
      .keys()
      .map((key) => fonts.lookup(key, PDFDict).get(PDFName.of("BaseFont"))?.toString());
    expect(named).toEqual(["/Courier", `/${StandardFonts.Helvetica}`]);
  }
});

const kids = (list: string) => `2 0 obj\n<</Type/Pages/Kids[${list}]/Count 9>>\nendobj`;

test.each([
  ["locked", lockedPdf],
  ["broken", () => new Uint8Array(Buffer.from("%PDF-1.7\nnada disso"))],
  ["broken", () => new Uint8Array(Buffer.from(`%PDF-1.7\n1 0 obj\n${"[".repeat(50_000)}`))],
  ["broken", () => handmade(kids(""))],
  [
    "signed",
    () => handmade("1 0 obj\n<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[]>>>>\nendobj"),
  ],
  ["pages", () => pdf(MAX_STAMP_PAGES + 1)],
  [
    "pages",
    () => handmade(`${kids("10 0 R ".repeat(20_000))}\n10 0 obj\n<</Type/Pages/Kids[3 0 R]>>\nendobj`),
  ],
])("a PDF that is %s is not stamped, and reported as such (%#)", async (kind, source) => {
  await expect(stampPdf(await source(), TEXTS)).rejects.toMatchObject({ kind });
});

test("a tree of pages that comes back to itself is gone through once", async () => {
  expect((await stampPdf(handmade(kids("3 0 R 2 0 R 3 0 R")), TEXTS)).pages).toBe(1);
});
