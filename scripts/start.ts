import "#scripts/load-quickly.ts";
import { buildIfStale } from "#scripts/build-if-stale.ts";
import { runShop } from "#scripts/run-shop.ts";

/** `npm start`: builds where needed, then runs everything the product is made of until Ctrl-C. */
await runShop(async () => {
  if (await buildIfStale()) console.log("Construído.");
});
