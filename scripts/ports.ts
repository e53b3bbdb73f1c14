import { createServer } from "node:net";

/**
 * The first of a thousand ports that `freePort` never returns: for callers that distribute ports among processes, as the
 * tests do.
 */
export const RESERVED = 15_000;

/**
 * A port of this machine that is free right now, below the range of ports for outgoing connections: so nothing takes it
 * before its server does.
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
