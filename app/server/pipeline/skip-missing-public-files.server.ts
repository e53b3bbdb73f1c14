import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { resolve } from "node:path";

type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
/** The part of express' exports that is replaced. */
export type Express = { static: (root: string, options?: object) => Handler };

/**
 * Before each page remix-serve checks on disk whether `public` has a file of that name, on a thread that is slow to run
 * on a busy machine. With this it only checks names that existed at the start. It has no option for that, so the
 * function that creates its middleware is replaced before the server is created.
 */
export function skipMissingPublicFiles(express: Express = loadServerExpress()): void {
  const serveStatic = express.static;
  express.static = (root, options) => {
    const serve = serveStatic(root, options);
    if (resolve(root) !== resolve("public")) return serve;
    const names = new Set(readdirSync(root));
    return (request, response, next) => {
      if (mayMatch(names, request.url ?? "/")) serve(request, response, next);
      else next();
    };
  };
}

/** Whether a URL may lead to one of these names; unusual spellings are left to express. */
function mayMatch(names: ReadonlySet<string>, url: string): boolean {
  const [path = "/"] = url.split("?", 1);
  if (/[%\\]|\/\.|^\/\//.test(path)) return true;
  return names.has(path.split("/", 2)[1] ?? "");
}

/** The instance that remix-serve loads. */
function loadServerExpress(): Express {
  const load = createRequire(import.meta.url);
  return createRequire(load.resolve("@remix-run/serve/package.json"))("express");
}
