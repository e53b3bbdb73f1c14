import { paced, send } from "./http.ts";

/**
 * Opens a page repeatedly, in its own process: in the process that makes the load, garbage collection pauses would be
 * counted as the page's. `one-buyer.ts <url> <interval>`; a message with a number of seconds is answered with the duration
 * of each opening. Interval and durations in milliseconds.
 */
const [url = "", interval = ""] = process.argv.slice(2);

async function open(): Promise<number> {
  const begun = performance.now();
  await send(url, { headers: { "Accept-Encoding": "gzip" } });
  return performance.now() - begun;
}

process.on("message", async (seconds: number) => {
  process.send!(await paced(open, Number(interval), seconds));
});
