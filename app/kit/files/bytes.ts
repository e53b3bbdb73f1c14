const UNITS = ["B", "kB", "MB", "GB", "TB"];
/** By number of decimals. */
const FORMATS = [0, 1].map((digits) => new Intl.NumberFormat("pt-BR", { maximumFractionDigits: digits }));

/** A readable size: `3,4 MB`. Units are thousands, as in file managers and phones. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** step;
  const digits = step > 0 && value < 10 ? 1 : 0;
  return `${FORMATS[digits]!.format(value)} ${UNITS[step]}`;
}
