import sharp, { type Sharp } from "sharp";
import {
  MODERN_FORMATS,
  type PictureFormat,
  type PictureUse,
  pictureSize,
  pictureSizes,
} from "#app/kit/files/pictures.ts";
import { type EncodedPicture, PictureError } from "#app/platform/picture/encoded-picture.ts";

/**
 * Limit for every picture; an iPhone's largest has 49 million pixels. JPEG and PNG are read line by line, other formats
 * are completely in memory.
 */
const MAX_PIXELS = 50_000_000;
const MAX_PIXELS_IN_MEMORY = 25_000_000;
/** Target in bytes for a size that a phone loads in a checkout; larger sizes get more by their area. */
const PHONE_BYTES = 22_000;
const PHONE_WIDTH = 1200;
/** Applied one after the other until the file is small enough. */
const QUALITIES: Record<PictureFormat, number[]> = {
  avif: [58, 48, 38, 28, 18],
  webp: [78, 64, 50, 36, 20],
  jpg: [82, 70, 56, 42, 26],
  png: [90, 70, 50, 30],
};

/** Formats we read. All other loaders of libvips stay disabled. */
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
 * Encodes a picture for its use: upright, without metadata, in every size and format; of an animation the first frame.
 * @throws PictureError
 */
export async function encodePicture(source: Buffer, use: PictureUse): Promise<EncodedPicture> {
  refuseBySignature(source);
  const { width, height, hasAlpha, format, pages = 1, autoOrient } = await orBroken(open(source).metadata());
  if (!width || !height || !format || !(format in READERS)) throw new PictureError("unknown");
  if (width * height > (format === "jpeg" || format === "png" ? MAX_PIXELS : MAX_PIXELS_IN_MEMORY))
    throw new PictureError("points");
  const size = pictureSize(use, autoOrient);
  const resizedImage = await orBroken(
    open(source)
      .autoOrient()
      .resize({ ...size, fit: "cover" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true }),
  );
  const { channels } = resizedImage.info;
  const pixels = () => sharp(resizedImage.data, { raw: { ...size, channels } });
  const hasTransparency = Boolean(hasAlpha) && !(await pixels().stats()).isOpaque;
  const fallback = hasTransparency ? "png" : "jpg";
  const encoded: EncodedPicture = { ...size, fallback, isAnimated: pages > 1, variants: [], bytes: [] };
  for (const targetSize of pictureSizes(use, size)) {
    for (const format of [...MODERN_FORMATS, fallback] as const) {
      const resized = pixels().resize({ ...targetSize, fit: "fill" });
      const bytes = await encodeWithin(hasTransparency ? resized : resized.removeAlpha(), format, targetSize);
      encoded.variants.push({ ...targetSize, format, bytes: bytes.byteLength });
      encoded.bytes.push(bytes);
    }
  }
  return encoded;
}

function open(source: Buffer): Sharp {
  return sharp(source, {
    failOn: "error",
    limitInputPixels: MAX_PIXELS,
    sequentialRead: true,
    pages: 1,
    autoOrient: false,
  });
}

/** The best quality that is small enough. If the first result is far too large, intermediate qualities are skipped. */
async function encodeWithin(
  picture: Sharp,
  format: PictureFormat,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const maxBytes =
    width <= PHONE_WIDTH ? PHONE_BYTES : PHONE_BYTES * ((width * height) / (PHONE_WIDTH * 300));
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const pixels = () => sharp(data, { raw: { width, height, channels: info.channels } });
  const qualities = QUALITIES[format];
  const effort = width > PHONE_WIDTH ? 2 : 4;
  for (let at = width > PHONE_WIDTH ? 1 : 0; ; ) {
    const bytes = await encode(pixels(), format, qualities[at]!, effort);
    if (bytes.byteLength <= maxBytes || at === qualities.length - 1) return bytes;
    at = Math.min(qualities.length - 1, at + (bytes.byteLength > 2 * maxBytes ? 2 : 1));
  }
}

function encode(picture: Sharp, format: PictureFormat, quality: number, effort: number): Promise<Buffer> {
  if (format === "avif") return picture.avif({ quality, effort }).toBuffer();
  if (format === "webp") return picture.webp({ quality, effort: 4, smartSubsample: true }).toBuffer();
  if (format === "png") return picture.png({ palette: true, quality, effort: 7 }).toBuffer();
  return picture.jpeg({ quality, mozjpeg: true }).toBuffer();
}

/** Recognizes unsupported formats by their first bytes, whatever the file is called. */
function refuseBySignature(source: Buffer): void {
  const head = source.subarray(0, 1024).toString("latin1");
  const brand = head.slice(4, 8) === "ftyp" ? head.slice(8, 32) : "";
  if (brand && !/avif|avis/.test(brand))
    throw new PictureError(/hei[cxms]|hev[cxms]|mif1|msf1/.test(brand) ? "heic" : "unknown");
  const isText = /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!|svg)/i.test(head);
  if (isText && /<svg[\s>]|<\?xml/i.test(head)) throw new PictureError("vector");
}

async function orBroken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const message = String((error as Error).message);
    if (/exceeds pixel limit/i.test(message)) throw new PictureError("points");
    if (/unsupported image format|Operation is blocked|is not known/i.test(message))
      throw new PictureError("unknown");
    throw new PictureError("broken");
  }
}
