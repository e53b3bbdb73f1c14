import { readSlowly } from "./slow-reader.ts";

/**
 * Downloads in a process of their own: else whoever measures beside them would count its own waiting for them. Says
 * `begun` once all have their answer, and tells the bytes they took since when it is asked.
 */
const [count, bytesPerSecond, ...urls] = process.argv.slice(2) as [string, string, ...string[]];
const opened = Array.from({ length: Number(count) }, (_, nth) =>
  readSlowly(urls[nth % urls.length]!, Number(bytesPerSecond)),
);
const readers = await Promise.all(opened);
const taken = () => readers.reduce((sum, reader) => sum + reader.taken(), 0);
process.on("message", () => process.send!(taken()));
process.on("disconnect", () => process.exit());
process.send!("begun");
