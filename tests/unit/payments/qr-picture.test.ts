import { crc32, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { qrModules } from "#app/kit/qr-code.ts";
import { renderQrPng } from "#app/platform/render-qr-png.server.ts";

const CODE =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR6304ABCD";

test("the picture of a PIX code is a small PNG with each module where it belongs", () => {
  const picture = renderQrPng(CODE);
  expect(picture.length).toBeLessThan(1000);
  expect(picture.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < picture.length; ) {
    const length = picture.readUInt32BE(at);
    const named = picture.subarray(at + 4, at + 8 + length);
    expect(picture.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.set(named.subarray(0, 4).toString(), named.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  const modules = qrModules(CODE);
  const side = (modules.size + 2) * 8;
  const header = chunks.get("IHDR")!;
  expect([header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]]).toEqual([side, side, 1, 0]);
  const pixels = inflateSync(chunks.get("IDAT")!);
  const bytes = 1 + side / 8;
  expect(pixels.length).toBe(bytes * side);
  // Filter 2: the difference to the row above.
  for (let at = bytes; at < pixels.length; at++)
    if (pixels[at - (at % bytes)] === 2 && at % bytes > 0) pixels[at]! += pixels[at - bytes]!;
  const isDark = (x: number, y: number) => ((pixels[y * bytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0;
  for (let y = -1; y <= modules.size; y++)
    for (let x = -1; x <= modules.size; x++) {
      const inside = x >= 0 && y >= 0 && x < modules.size && y < modules.size;
      expect(isDark((x + 1) * 8 + 4, (y + 1) * 8 + 4)).toBe(
        inside && modules.data[y * modules.size + x] === 1,
      );
    }
});
