import { crc32, deflateSync } from "node:zlib";
import { qrModules } from "#app/kit/qr-code.ts";

/** Pixels a module: so many that a row of a module is one byte. */
const SCALE = 8;
const WHITE = 0xff;
const BLACK = 0;
/** Modules of white around. */
const MARGIN = 1;
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const GREY = 0;

/**
 * A PIX code as a QR Code: PNG of one bit a pixel, a kilobyte. `qrcode` itself draws four bytes a pixel.
 */
export function drawQr(pixCode: string): Buffer {
  const modules = qrModules(pixCode);
  const across = modules.size + 2 * MARGIN;
  const side = across * SCALE;
  const rows = Array.from({ length: across }, (_, at) => {
    // A row begins with the filter it was put through: none.
    const row = Buffer.alloc(1 + across, WHITE).fill(0, 0, 1);
    const y = at - MARGIN;
    if (y >= 0 && y < modules.size)
      for (let x = 0; x < modules.size; x++)
        if (modules.data[y * modules.size + x]) row[1 + MARGIN + x] = BLACK;
    return Array<Buffer>(SCALE).fill(row);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, GREY, 0, 0, 0], 8);
  // A fifth of the time of the usual level, for some bytes more.
  const pixels = deflateSync(Buffer.concat(rows.flat()), { level: 3 });
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Length, name, content, and the checksum of name and content. */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
