import { createServer } from "node:net";

/** The first of a thousand ports that `freePort` never gives: for who shares them out among processes, as the tests do. */
export const RESERVED = 15_000;

/**
 * A port of this machine that nobody listens on right now, below the range from which outgoing connections take theirs:
 * so nothing grabs it before its server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = RESERVED + 1000 + Math.floor(Math.random() * 16_000);
    if (await isFree(port)) return port;
  }
}

/** Whether a server could listen on this port, on every address of the machine. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, () => probe.close(() => done(true)));
  });
}
