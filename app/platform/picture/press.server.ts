import sharp, { type Sharp } from "sharp";
import {
  MODERN_FORMATS,
  type PictureFormat,
  type PicturePlace,
  pictureSize,
  pictureSizes,
} from "#app/kit/files/pictures.ts";
import { type Pressed, PressFailure } from "#app/platform/picture/pressed.ts";

/**
 * What any picture may have in all; an iPhone's largest has 49 million points. A JPEG or PNG is read line by line, others
 * are in memory whole.
 */
const MOST_POINTS = 50_000_000;
const MOST_AT_ONCE = 25_000_000;
/** What a size weighs that a phone may load in a checkout, in bytes; larger ones weigh more by their area. */
const PHONE_BYTES = 22_000;
const PHONE_WIDTH = 1200;
/** Tried one after the other until the bytes are few enough. */
const QUALITIES: Record<PictureFormat, number[]> = {
  avif: [58, 48, 38, 28, 18],
  webp: [78, 64, 50, 36, 20],
  jpg: [82, 70, 56, 42, 26],
  png: [90, 70, 50, 30],
};

/** What we read. Everything else libvips could read stays shut. */
const READERS: Record<string, string[]> = {
  jpeg: ["VipsForeignLoadJpeg"],
  png: ["VipsForeignLoadPng"],
  webp: ["VipsForeignLoadWebp"],
  gif: ["VipsForeignLoadNsgif"],
  heif: ["VipsForeignLoadHeif"],
};

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: Object.values(READERS).flat() });

/**
 * A picture as its place shows it: upright, without anything beside its points, in every size and format. Of an animated one
 * the first frame.
 * @throws PressFailure
 */
export async function press(source: Buffer, place: PicturePlace): Promise<Pressed> {
  refuseByHead(source);
  const { width, height, hasAlpha, format, pages = 1, autoOrient } = await orBroken(open(source).metadata());
  if (!width || !height || !format || !(format in READERS)) throw new PressFailure("unknown");
  if (width * height > (format === "jpeg" || format === "png" ? MOST_POINTS : MOST_AT_ONCE))
    throw new PressFailure("points");
  const size = pictureSize(place, autoOrient);
  const small = await orBroken(
    open(source)
      .autoOrient()
      .resize({ ...size, fit: "cover" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true }),
  );
  const { channels } = small.info;
  const points = () => sharp(small.data, { raw: { ...size, channels } });
  const isClear = Boolean(hasAlpha) && !(await points().stats()).isOpaque;
  const fallback = isClear ? "png" : "jpg";
  const pressed: Pressed = { ...size, fallback, isAnimated: pages > 1, variants: [], bytes: [] };
  for (const each of pictureSizes(place, size)) {
    for (const format of [...MODERN_FORMATS, fallback] as const) {
      const resized = points().resize({ ...each, fit: "fill" });
      const bytes = await fewBytes(isClear ? resized : resized.removeAlpha(), format, each);
      pressed.variants.push({ ...each, format, bytes: bytes.byteLength });
      pressed.bytes.push(bytes);
    }
  }
  return pressed;
}

function open(source: Buffer): Sharp {
  return sharp(source, {
    failOn: "error",
    limitInputPixels: MOST_POINTS,
    sequentialRead: true,
    pages: 1,
    autoOrient: false,
  });
}

/** At the best quality whose bytes are few enough; one that is far from it is not come near to step by step. */
async function fewBytes(
  picture: Sharp,
  format: PictureFormat,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const most = width <= PHONE_WIDTH ? PHONE_BYTES : PHONE_BYTES * ((width * height) / (PHONE_WIDTH * 300));
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const points = () => sharp(data, { raw: { width, height, channels: info.channels } });
  const qualities = QUALITIES[format];
  const effort = width > PHONE_WIDTH ? 2 : 4;
  for (let at = width > PHONE_WIDTH ? 1 : 0; ; ) {
    const bytes = await written(points(), format, qualities[at]!, effort);
    if (bytes.byteLength <= most || at === qualities.length - 1) return bytes;
    at = Math.min(qualities.length - 1, at + (bytes.byteLength > 2 * most ? 2 : 1));
  }
}

function written(picture: Sharp, format: PictureFormat, quality: number, effort: number): Promise<Buffer> {
  if (format === "avif") return picture.avif({ quality, effort }).toBuffer();
  if (format === "webp") return picture.webp({ quality, effort: 4, smartSubsample: true }).toBuffer();
  if (format === "png") return picture.png({ palette: true, quality, effort: 7 }).toBuffer();
  return picture.jpeg({ quality, mozjpeg: true }).toBuffer();
}

/** What people send that we do not read, told by its first bytes, whatever it is called. */
function refuseByHead(source: Buffer): void {
  const head = source.subarray(0, 1024).toString("latin1");
  const brand = head.slice(4, 8) === "ftyp" ? head.slice(8, 32) : "";
  if (brand && !/avif|avis/.test(brand)) {
    throw new PressFailure(/hei[cxms]|hev[cxms]|mif1|msf1/.test(brand) ? "heic" : "unknown");
  }
  const isText = /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!|svg)/i.test(head);
  if (isText && /<svg[\s>]|<\?xml/i.test(head)) throw new PressFailure("vector");
}

async function orBroken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const said = String((error as Error).message);
    if (/exceeds pixel limit/i.test(said)) throw new PressFailure("points");
    if (/unsupported image format|Operation is blocked|is not known/i.test(said))
      throw new PressFailure("unknown");
    throw new PressFailure("broken");
  }
}
