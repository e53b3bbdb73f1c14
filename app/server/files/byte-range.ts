export type ByteRange = { from: number; to: number };

/**
 * The range of a `Range` header, `to` inclusive; null if the whole file is sent: no range, several, or other units.
 * `none`: a range outside the file.
 */
export function readByteRange(header: string | null, size: number): ByteRange | "none" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 ? "none" : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return null;
  return from >= size ? "none" : { from, to };
}
