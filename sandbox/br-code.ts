import { randomInt } from "node:crypto";

/**
 * A dynamic BR Code (EMV MPM) that includes its amount, as PushinPay's do.
 *
 * `url` is the payload's address without scheme, at most 77 characters; `cents` is written as `19.90` in field 54 and left
 * out when absent. `name` (25) and `city` (15) must be plain ASCII already. Own code, because the installed library
 * refuses an amount together with a url.
 */
export function dynamicBrCode(options: { url: string; cents?: number; name: string; city: string }): string {
  const { url, cents, name, city } = options;
  const fields = [
    field("00", "01"),
    field("01", "12"),
    field("26", field("00", "br.gov.bcb.pix") + field("25", url)),
    field("52", "0000"),
    field("53", "986"),
    cents === undefined ? "" : field("54", (cents / 100).toFixed(2)),
    field("58", "BR"),
    field("59", name),
    field("60", city),
    field("62", field("05", "***")),
    "6304",
  ];
  const code = fields.join("");
  return code + crc16(code);
}

/** One TLV object: two-digit id, two-digit length in characters, value. */
function field(id: string, value: string) {
  return `${id}${String(value.length).padStart(2, "0")}${value}`;
}

/** CRC-16/CCITT-FALSE (poly 0x1021, init 0xFFFF) over ASCII text, as 4 uppercase hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, "ascii")) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** `E` + 8 digits of the bank + `yyyyMMddHHmm` in UTC + 11 alphanumerics = 32 characters. */
export function endToEndId(at: number): string {
  const minute = new Date(at).toISOString().replace(/\D/g, "").slice(0, 12);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const tail = Array.from({ length: 11 }, () => letters[randomInt(letters.length)]).join("");
  return `E18236120${minute}${tail}`;
}
