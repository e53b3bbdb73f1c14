import { crc32, deflateSync } from "node:zlib";
import { qrModules } from "#app/kit/qr-code.ts";

/** Pixels per module: 8, so that a row of a module is one byte. */
const SCALE = 8;
const WHITE = 0xff;
const BLACK = 0;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const GREY = 0;
/** A third of the time of zlib's default, and a little smaller: the lines of a module are equal. */
const LEVEL = 4;

/**
 * A text as a QR code: a PNG of one bit per pixel, about a kilobyte. `qrcode` itself uses four bytes per pixel.
 * @param margin white around it, in modules
 */
export function renderQrPng(text: string, margin = 1): Buffer {
  const modules = qrModules(text);
  const moduleCount = modules.size + 2 * margin;
  const side = moduleCount * SCALE;
  const rows = Array.from({ length: moduleCount }, (_, at) => {
    // The first byte of a row is its filter: 0, none.
    const row = Buffer.alloc(1 + moduleCount, WHITE).fill(0, 0, 1);
    const y = at - margin;
    if (y >= 0 && y < modules.size)
      for (let x = 0; x < modules.size; x++)
        if (modules.data[y * modules.size + x]) row[1 + margin + x] = BLACK;
    return Array<Buffer>(SCALE).fill(row);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, GREY, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(rows.flat()), { level: LEVEL });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A PNG chunk: length, name, content, and the checksum of name and content. */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const lengthAndChecksum = Buffer.alloc(8);
  lengthAndChecksum.writeUInt32BE(content.length, 0);
  lengthAndChecksum.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([lengthAndChecksum.subarray(0, 4), named, lengthAndChecksum.subarray(4)]);
}
