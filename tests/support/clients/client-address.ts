let last = Math.floor(Math.random() * 2 ** 16);

/** An address not used before in this process: sent in X-Forwarded-For it is a separate client. */
export function newAddress(): string {
  last = (last + 1) % 2 ** 17;
  // 198.18.0.0/15 is reserved for benchmarks.
  return `198.${18 + (last >> 16)}.${(last >> 8) & 255}.${last & 255}`;
}
