let last = Math.floor(Math.random() * 2 ** 16);

/** An address nobody had in this process: who sends it in X-Forwarded-For is a client of their own. */
export function newAddress(): string {
  last = (last + 1) % 2 ** 17;
  // 198.18.0.0/15 is kept for measurements.
  return `198.${18 + (last >> 16)}.${(last >> 8) & 255}.${last & 255}`;
}
