import { createReadStream, createWriteStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { pipeline } from "node:stream/promises";

/**
 * The least that a file can cost on its way: a bare server that pours a file into the answer, and the parts of one, each on
 * the disk before it answers, to their places. `GET /` answers too.
 */
const [file, taken] = process.argv.slice(2) as [string, string];

const server = createServer(async (request, response) => {
  if (request.method === "PUT") {
    const start = Number(new URL(request.url!, "http://floor").searchParams.get("offset"));
    await pipeline(request, createWriteStream(taken, { flags: start ? "r+" : "w", start, flush: true }));
    return void response.end("ok");
  }
  if (request.url === "/") return void response.end("ok");
  response.setHeader("Content-Length", statSync(file).size);
  await pipeline(createReadStream(file), response).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT));
process.once("SIGTERM", () => process.exit(0));
