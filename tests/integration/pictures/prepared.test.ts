import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type PictureUse, pictureName, pictureSizes, readPictureAddress } from "#app/kit/files/pictures.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { animated, photo, plain, QUARTERS } from "#tests/support/files/photos.ts";
import { preparedPicture } from "#tests/support/files/send-file.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ keepWorker: true });
});

let camera: Promise<Uint8Array<ArrayBuffer>> | undefined;
/** A photo of 12 megapixels. */
function cameraPhoto() {
  camera ??= photo(4032, 3024, true);
  return camera;
}

async function client() {
  const seller = await makeSeller();
  return { app, seller, headers: await signedIn(seller) };
}

/** Every address that a picture can be had at. */
function addressesOf(url: string) {
  const { key, format: fallback, ...ours } = readPictureAddress(url)!;
  return pictureSizes(ours.use, ours).flatMap((size) =>
    (["avif", "webp", fallback] as const).map((format) => ({
      ...size,
      format,
      path: `/pictures/${key}/${pictureName({ use: ours.use, format, ...size })}`,
    })),
  );
}

async function bytesAt(path: string) {
  const answer = await app.fetch(new URL(path, app.url).pathname);
  expect(answer.status, path).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

longTest(
  "a 12-megapixel photo lying on its side is turned upright, stripped, and kept in every size and format",
  async () => {
    const picture = await preparedPicture(await client(), "product", await cameraPhoto());
    expect(picture).toMatchObject({ state: "ready", width: 600, height: 600, message: null });
    expect(picture.url).toMatch(/\/pictures\/[0-9a-f]{32}\/product-600x600\.jpg$/);
    const all = addressesOf(picture.url!);
    expect(all.map(({ width, format }) => `${width}.${format}`)).toEqual(
      [72, 144, 300, 600].flatMap((width) => ["avif", "webp", "jpg"].map((format) => `${width}.${format}`)),
    );
    for (const { path, width, height } of all) {
      const bytes = await bytesAt(path);
      const told = await sharp(bytes).metadata();
      expect([told.width, told.height, told.orientation ?? 1], path).toEqual([width, height, 1]);
      expect([told.exif, told.icc, told.xmp, told.iptc], path).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      expect(bytes.toString("latin1"), path).not.toMatch(/Camera-de-Teste|Exif|GPS/);
      expect(await cornersOf(bytes), path).toEqual(["red", "green", "blue", "yellow"]);
    }
  },
);

/** Which colour each quarter has, from the upper left to the lower right. */
async function cornersOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
      const far = Object.entries(QUARTERS).map(([name, quarter]) => ({
        name,
        by: quarter.reduce((sum, part, i) => sum + Math.abs(part - data[at + i]!), 0),
      }));
      return far.sort((a, b) => a.by - b.by)[0]!.name;
    }),
  );
}

async function expectLight(location: PictureUse, bytes: Uint8Array<ArrayBuffer>) {
  const picture = await preparedPicture(await client(), location, bytes);
  for (const { path, width } of addressesOf(picture.url!).filter(({ width }) => width <= 1200))
    expect((await bytesAt(path)).byteLength, `${path} of ${width}`).toBeLessThanOrEqual(30_000);
}

test("what a phone may load of a photo weighs at most 30 kB", async () => {
  await expectLight("product", await photo(1200, 900, true));
});

longTest.each(["product", "bump", "banner", "logo"] as const)(
  "what a phone may load of a 12-megapixel photo as a %s weighs at most 30 kB",
  async (location) => expectLight(location, await cameraPhoto()),
);

test("a picture is served as immutable, with its own type, and without a cookie", async () => {
  const picture = await preparedPicture(await client(), "logo", await plain(500, 200));
  const types = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg", png: "image/png" };
  for (const { path, format } of addressesOf(picture.url!)) {
    const answer = await app.fetch(path);
    const { headers } = answer;
    expect(headers.get("content-type")).toBe(types[format]);
    expect(headers.get("cache-control")).toContain("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("content-length")).toBe(String((await answer.arrayBuffer()).byteLength));
    const etag = headers.get("etag")!;
    expect((await app.fetch(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const head = await app.fetch(path, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  }
});

test("an address with another size, key, format or name is not found, and not cached", async () => {
  const picture = await preparedPicture(await client(), "logo", await plain(300, 100));
  const { pathname } = new URL(picture.url!);
  const strange = [
    pathname.replace("300x100", "299x100"),
    pathname.replace(/\.\w+$/, ".svg"),
    pathname.replace("logo-", "product-"),
    pathname.replace(/[0-9a-f]{32}/, "0".repeat(32)),
    pathname.replace(/[0-9a-f]{32}/, "..%2f..%2fetc"),
    "/pictures/x/y",
  ];
  for (const path of strange) {
    const answer = await app.fetch(path);
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 404, "no-store"]);
  }
  expect((await app.fetch(pathname, { method: "POST" })).status).toBe(405);
});

test("transparent pictures stay so, with PNG for old browsers; opaque ones become JPEG", async () => {
  const clear = await preparedPicture(await client(), "logo", await plain(200, 80, 0.3));
  expect(clear.url).toMatch(/\.png$/);
  for (const { path } of addressesOf(clear.url!))
    expect((await sharp(await bytesAt(path)).stats()).isOpaque).toBe(false);
  expect((await preparedPicture(await client(), "logo", await plain(200, 80))).url).toMatch(/\.jpg$/);
});

test("a small picture is not enlarged, and a thin one keeps at least one pixel", async () => {
  const small = await preparedPicture(await client(), "banner", await plain(200, 100));
  expect([small.width, small.height]).toEqual([200, 50]);
  const thin = await preparedPicture(await client(), "logo", await plain(1, 900));
  expect([thin.width, thin.height]).toEqual([1, 112]);
  expect((await bytesAt(addressesOf(thin.url!)[0]!.path)).byteLength).toBeGreaterThan(0);
});

test.each(everyNth(2, ["webp", "gif"] as const))(
  "of an animated %s the first frame is kept, and its seller is warned",
  async (as) => {
    const picture = await preparedPicture(await client(), "product", await animated(as));
    expect(picture).toMatchObject({
      state: "ready",
      message: expect.stringContaining("só o primeiro quadro"),
    });
    for (const { path } of addressesOf(picture.url!))
      expect((await sharp(await bytesAt(path), { pages: -1 }).metadata()).pages ?? 1).toBe(1);
  },
);

test("the original photo is deleted once it is processed, and the variants count as the seller's", async () => {
  const who = await client();
  const picture = await preparedPicture(who, "product", await photo(160, 120, true));
  const rows = await onlyPack(who.seller.id);
  const folder = join(process.env.DATA_DIR!, "files");
  expect(existsSync(join(folder, picture.id.slice(0, 2), picture.id))).toBe(false);
  const weights = await Promise.all(
    addressesOf(picture.url!).map(async ({ path }) => (await bytesAt(path)).byteLength),
  );
  expect(rows.map(({ size }) => Number(size))).toEqual([weights.reduce((sum, one) => sum + one, 0)]);
});

/** A seller's files after the original was deleted: that happens right after the picture is ready. */
function onlyPack(sellerId: string) {
  return until(async () => {
    const rows = await sql<{ size: string }[]>`select size from files where seller_id = ${sellerId}`;
    return rows.length === 1 ? rows : null;
  });
}

test("the same picture sent twice is one; another seller's same picture has an address of its own", async () => {
  const [who, other] = [await client(), await client()];
  const bytes = await plain(300, 300);
  const one = await preparedPicture(who, "bump", bytes);
  const two = await preparedPicture(who, "bump", bytes);
  expect(two.url).toBe(one.url);
  await onlyPack(who.seller.id);
  expect((await preparedPicture(other, "bump", bytes)).url).not.toBe(one.url);
});
