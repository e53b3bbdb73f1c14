import { readFileSync } from "node:fs";

/**
 * The buyer pages' stylesheet, inlined, and the addresses of their scripts: `form` of those a buyer fills in, `purchase` of
 * the others. Made by scripts/build.ts.
 */
export type BuyerAssets = { css: string; scripts: { form: string; purchase: string } };

let assets: BuyerAssets | undefined;

/** Read once, at the first page. */
export function buyerAssets(): BuyerAssets {
  assets ??= JSON.parse(readFileSync("build/buyer.json", "utf8")) as BuyerAssets;
  return assets;
}
