import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

type Bytes = Uint8Array<ArrayBuffer>;
const asBytes = (buffer: Buffer): Bytes => new Uint8Array(buffer);

/** Four quarters, so that the orientation is visible: red, green; blue, yellow. */
export const QUARTERS = {
  red: [230, 30, 30],
  green: [30, 200, 30],
  blue: [30, 30, 230],
  yellow: [230, 220, 30],
};

/**
 * A photo like a phone's: noisy, with location and camera. With `turned` it lies on its side, and its metadata states
 * it.
 */
export async function photo(width: number, height: number, turned = false): Promise<Bytes> {
  const points = Buffer.alloc(width * height * 3);
  const { red, green, blue, yellow } = QUARTERS;
  let seed = 1;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      const noise = ((seed >> 16) % 40) - 20 + Math.sin(x / 37 + y / 91) * 10;
      const quarter = y < height / 2 ? (x < width / 2 ? red : green) : x < width / 2 ? blue : yellow;
      for (const part of quarter) points[at++] = Math.max(0, Math.min(255, part! + noise));
    }
  }
  const picture = sharp(points, { raw: { width, height, channels: 3 } });
  // Turned to its left, and marked to be turned back: 6 means that the camera was held upright.
  const lying = turned ? picture.rotate(-90) : picture;
  const taken = lying.withExif({
    IFD0: { Make: "Camera-de-Teste" },
    IFD3: { GPSLatitudeRef: "S", GPSLatitude: "23/1 33/1 1/1" },
  });
  return asBytes(
    await (turned ? taken.withMetadata({ orientation: 6 }) : taken).jpeg({ quality: 88 }).toBuffer(),
  );
}

/** A small picture of one colour, seen through where `alpha` is below 1. */
export async function plain(width: number, height: number, alpha = 1): Promise<Bytes> {
  const background = { r: 20, g: 120, b: 200, alpha };
  return asBytes(
    await sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer(),
  );
}

/** Two frames. */
export async function animated(as: "gif" | "webp"): Promise<Bytes> {
  const frames = [
    await plain(80, 60),
    Buffer.from(
      await sharp(await plain(80, 60))
        .negate()
        .png()
        .toBuffer(),
    ),
  ];
  const joined = sharp(
    frames.map((frame) => Buffer.from(frame)),
    { join: { animated: true } },
  );
  return asBytes(await (as === "gif" ? joined.gif() : joined.webp()).toBuffer());
}

/** An AVIF of that many pixels: the slowest format to read that we accept. */
export async function slow(side: number): Promise<Bytes> {
  const scene = Buffer.from(await photo(600, 600));
  const large = sharp(scene).resize(side, side, { fit: "fill" });
  return asBytes(await large.avif({ effort: 0, quality: 60 }).toBuffer());
}

/** A PNG of a few kilobytes that claims so many points, one bit each, and has them. */
export function bomb(width: number, height: number): Bytes {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const sign = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return asBytes(
    Buffer.concat([sign, chunk("IHDR", head), chunk("IDAT", lines), chunk("IEND", Buffer.alloc(0))]),
  );
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
