import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { resolve } from "node:path";

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
/** What of express' exports is exchanged. */
export type Express = { static: (root: string, options?: object) => Handler };

/**
 * Before each page remix-serve asks the disk whether `public` has a file of that name, on a thread that a busy machine is
 * slow to run. With this it asks only for names that are there when it starts. It has no option for that, so the function it
 * is made with is exchanged before it makes its server.
 */
export function askOnlyForPublicFiles(express: Express = serversExpress()): void {
  const serveStatic = express.static;
  express.static = (root, options) => {
    const serve = serveStatic(root, options);
    if (resolve(root) !== resolve("public")) return serve;
    const names = new Set(readdirSync(root));
    return (request, response, next) => {
      if (mayBeIn(names, request.url ?? "/")) serve(request, response, next);
      else next();
    };
  };
}

/** Whether an address may lead to one of these names; what is written in another way is left to express. */
function mayBeIn(names: ReadonlySet<string>, url: string): boolean {
  const [path = "/"] = url.split("?", 1);
  if (/[%\\]|\/\.|^\/\//.test(path)) return true;
  return names.has(path.split("/", 2)[1] ?? "");
}

/** The one that remix-serve loads. */
function serversExpress(): Express {
  const load = createRequire(import.meta.url);
  return createRequire(load.resolve("@remix-run/serve/package.json"))("express");
}
