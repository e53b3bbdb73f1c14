import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A row of remix.config.js: its whole address, and its file under app/ with its ending. */
export type Route = { address: string; file: string };

type Define = (path: string | undefined, file: string, options: object, inside?: () => void) => void;

/** Every address of the product. Frames, which have none, are left out unless requested. */
export async function routeTable(also: { frames?: boolean } = {}): Promise<Route[]> {
  const { default: config } = await import(pathToFileURL(resolve("remix.config.js")).href);
  const found: Route[] = [];
  const above: string[] = [];
  const define: Define = (path, file, options, inside) => {
    const address = `/${[...above, path].filter(Boolean).join("/")}`;
    if (path || "index" in options || also.frames) found.push({ address, file });
    if (path) above.push(path);
    inside?.();
    if (path) above.pop();
  };
  config.routes((declare: (define: Define) => void) => declare(define));
  return found;
}

/** An address of the route table with `values` for its parameters; `-` for those without. */
export function fillAddress(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? "-"));
}
