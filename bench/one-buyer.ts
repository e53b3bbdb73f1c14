import { paced, send } from "./http.ts";

/**
 * Opens a page again and again, in a process of its own: whoever makes the load waits for its own garbage, and would count
 * that as the page's. `one-buyer.ts <url> <apart>`; a message of seconds is answered by how long each opening took; both
 * in milliseconds.
 */
const [url = "", apart = ""] = process.argv.slice(2);

async function open(): Promise<number> {
  const begun = performance.now();
  await send(url, { headers: { "Accept-Encoding": "gzip" } });
  return performance.now() - begun;
}

process.on("message", async (seconds: number) => {
  process.send!(await paced(open, Number(apart), seconds));
});
