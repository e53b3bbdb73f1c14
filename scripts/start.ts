import "#scripts/load-quickly.ts";
import { buildIfStale } from "#scripts/build-if-stale.ts";
import { runShop } from "#scripts/run-shop.ts";

/** `npm start`: builds if needed, then runs all programs of the product until Ctrl-C. */
await runShop(async () => {
  if (await buildIfStale()) console.log("Construído.");
});
