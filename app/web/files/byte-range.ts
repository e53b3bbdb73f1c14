export type ByteRange = { from: number; to: number };

/**
 * The stretch a `Range` header asks for, its last byte included; null where the whole is sent: none asked for, several, or
 * not bytes. `none`: a stretch the file does not have.
 */
export function readByteRange(header: string | null, size: number): ByteRange | "none" | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "")
    return Number(last) === 0 ? "none" : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return null;
  return from >= size ? "none" : { from, to };
}
