let last = Math.floor(Math.random() * 2 ** 16);

/** An address not used before in this process: sent in X-Forwarded-For it is a separate client. */
export function newAddress(): string {
  last = (last + 1) % 2 ** 17;
  // 198.18.0.0/15 is reserved for benchmarks.
  return `198.${18 + (last >> 16)}.${(last >> 8) & 255}.${last & 255}`;
}

/** User-Agents of real browsers. */
export const PHONE =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";
export const DESKTOP =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
