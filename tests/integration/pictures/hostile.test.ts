import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { MAX_PICTURE_BYTES } from "#app/domain/picture/limits.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { bomb, photo, plain } from "#tests/support/files/photos.ts";
import { preparedPicture } from "#tests/support/files/send-file.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { EVERY_WAY, longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

async function client() {
  const seller = await makeSeller();
  return { app, seller, headers: await signedIn(seller) };
}

const text = (content: string) => new Uint8Array(Buffer.from(content, "latin1"));
const together = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const SVG = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>";

/** A file's name, its content, and the message to its seller. */
type Refused = [
  name: string,
  bytes: () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
  told: RegExp,
];
/** `pictures/forms` sends a photo of an iPhone, and a damaged one. */
const REFUSED: Refused[] = [
  ["logo.svg", () => text(SVG), /SVG.*PNG/],
  [
    "x.tiff",
    async () =>
      new Uint8Array(
        await sharp(await plain(50, 50))
          .tiff()
          .toBuffer(),
      ),
    /não é uma imagem/,
  ],
  ["bomba.png", () => bomb(30_000, 30_000), /50 milhões de pontos/],
  // Formats that are in memory whole have a lower bound: 25 million points.
  ["enorme.webp", () => large("webp"), /grande demais/],
];
/** What is refused for the same reasons. */
const ALIKE: Refused[] = [
  [
    "IMG_0001.HEIC",
    () => text(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${"x".repeat(400)}`),
    /HEIC do iPhone.*JPEG/,
  ],
  ["foto.jpg", () => text(`\0\0\0\x18ftypmif1\0\0\0\0mif1heic${"x".repeat(400)}`), /HEIC do iPhone/],
  ["logo.png", () => text(`<?xml version="1.0"?>\n<!-- x -->\n${SVG}`), /SVG.*PNG/],
  ["foto.png", () => text("isto é um texto"), /não é uma imagem/],
  ["foto.jpg", () => text("%PDF-1.7\n%âãÏÓ"), /não é uma imagem/],
  ["foto.webp", () => text("PK\x03\x04 um zip"), /não é uma imagem/],
  ["foto.jpg", () => text("MZ\x90\x00 um programa"), /não é uma imagem/],
  ["meia.jpg", async () => (await photo(900, 700)).slice(0, 60_000), /danificada ou incompleta/],
  ["meia.png", async () => (await plain(900, 700)).slice(0, 600), /danificada ou incompleta/],
  ["foto.jpg", () => text(`\xff\xd8\xff\xe0${"\0".repeat(200)}`), /danificada|não é uma imagem/],
  ["enorme.gif", () => large("gif"), /grande demais/],
  ["enorme.avif", () => large("avif"), /grande demais/],
  ["larga.png", () => bomb(60_000, 900), /50 milhões de pontos|danificada/],
];

test.each(EVERY_WAY ? [...REFUSED, ...ALIKE] : REFUSED)(
  "%s, which cannot be shown, is refused with a clear message (%#)",
  async (name, make, reported) => {
    const who = await client();
    const picture = await preparedPicture(who, "product", await make(), name);
    expect(picture).toMatchObject({ state: "failed", url: null, message: expect.stringMatching(reported) });
    // Nothing of it is stored: it is deleted right after the message.
    await until(
      async () => (await sql`select id from files where seller_id = ${who.seller.id}`).length === 0,
    );
  },
);

async function expectOnlyPicture(sent: Uint8Array<ArrayBuffer>) {
  const picture = await preparedPicture(await client(), "product", sent, "foto.jpg");
  expect(picture).toMatchObject({ state: "ready", message: null });
  const answer = await app.fetch(new URL(picture.url!).pathname);
  const bytes = Buffer.from(await answer.arrayBuffer());
  for (const strange of ["script", "PK\x03\x04", "<svg"])
    expect(bytes.toString("latin1")).not.toContain(strange);
  expect((await sharp(bytes).metadata()).width).toBe(picture.width);
}

test("a photo that is also a page and a zip becomes a picture and nothing else", async () => {
  const more = text(`<script>alert(1)</script>PK\x03\x04`);
  await expectOnlyPicture(together(await photo(300, 300), more));
});

/** The last two are just below the bounds. */
const SAFE: [what: string, bytes: () => Promise<Uint8Array<ArrayBuffer>>][] = [
  ["a PNG with a script in its comment", async () => withComment(await plain(300, 300), SVG)],
  ["a PNG called .jpg", async () => plain(300, 300)],
  ["a JPEG of 26 million points", () => large("jpeg")],
  ["a PNG of 49 million points", async () => bomb(7000, 7000)],
];

longTest.each(SAFE)("%s becomes a picture and nothing else", async (_, make) => {
  await expectOnlyPicture(await make());
});

/** A picture of one colour with 26 million points. */
async function large(format: "webp" | "gif" | "avif" | "jpeg"): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp({ create: { width: 5200, height: 5000, channels: 3, background: "teal" } });
  if (format === "webp") return new Uint8Array(await picture.webp({ effort: 0, lossless: true }).toBuffer());
  return new Uint8Array(
    await picture.toFormat(format, format === "jpeg" ? {} : { effort: format === "gif" ? 1 : 0 }).toBuffer(),
  );
}

/** A text chunk right after the header, which readers skip. */
function withComment(png: Uint8Array, comment: string): Uint8Array<ArrayBuffer> {
  const chunk = Buffer.concat([
    Buffer.alloc(4),
    Buffer.from(`tEXtComment\0${comment}`, "latin1"),
    Buffer.alloc(4),
  ]);
  chunk.writeUInt32BE(chunk.length - 12);
  return together(png.slice(0, 33), chunk, png.slice(33));
}

test("an empty picture, or one larger than a phone's largest photo, is not even sent", async () => {
  const { headers } = await client();
  const announce = (size: number) =>
    app.fetch("/api/pictures", {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ place: "product", name: "foto.jpg", size }),
    });
  const empty = await announce(0);
  expect([empty.status, await empty.text()]).toEqual([400, expect.stringContaining("vazia")]);
  const large = await announce(MAX_PICTURE_BYTES + 1);
  expect([large.status, await large.text()]).toEqual([413, expect.stringContaining("o limite é 25 MB")]);
});
