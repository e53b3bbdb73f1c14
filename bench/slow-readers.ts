import { readSlowly } from "./slow-reader.ts";

/**
 * Downloads in a separate process: otherwise the measuring process would count time spent on the downloads. Sends `begun`
 * once all have their response, and answers each message with the bytes received so far.
 */
const [count, bytesPerSecond, ...urls] = process.argv.slice(2) as [string, string, ...string[]];
const opened = Array.from({ length: Number(count) }, (_, nth) =>
  readSlowly(urls[nth % urls.length]!, Number(bytesPerSecond)),
);
const readers = await Promise.all(opened);
const received = () => readers.reduce((sum, reader) => sum + reader.received(), 0);
process.on("message", () => process.send!(received()));
process.on("disconnect", () => process.exit());
process.send!("begun");
