import { createReadStream, createWriteStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";

/**
 * Baseline for file transfers: a bare server that streams one file as a response, and writes each uploaded part to its
 * position on disk before it answers. `GET /` answers too.
 */
const [file, received] = process.argv.slice(2) as [string, string];

const server = createServer(async (request, response) => {
  if (request.method === "PUT") {
    const start = Number(new URL(request.url!, "http://floor").searchParams.get("offset"));
    await pipeline(request, createWriteStream(received, { flags: start ? "r+" : "w", start, flush: true }));
    return void response.end("ok");
  }
  if (request.url === "/") return void response.end("ok");
  response.setHeader("Content-Length", statSync(file).size);
  await pipeline(createReadStream(file), response).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT));
process.once("SIGTERM", () => process.exit(0));
