import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFree, RESERVED } from "#scripts/ports.ts";
import { takeSlot } from "#tests/support/slots.ts";

/**
 * Two ports that are this process's for as long as it lives: of web and sandbox. Its environment names them long before a server
 * listens there, and between two files nobody does: another process of tests must not take them for free.
 */
export async function ownPorts(): Promise<[web: number, sandbox: number]> {
  const root = join(tmpdir(), `checkintelli-ports-${process.getuid?.() ?? ""}`);
  for (;;) {
    const web = RESERVED + 2 * takeSlot(root).number;
    if ((await isFree(web)) && (await isFree(web + 1))) return [web, web + 1];
  }
}
