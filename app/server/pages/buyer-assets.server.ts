import { readFileSync } from "node:fs";

/**
 * The buyer pages' inlined stylesheet and the addresses of their scripts: `form` for pages with a buyer form,
 * `purchase` for the others. Created by scripts/build.ts.
 */
export type BuyerAssets = { css: string; scripts: { form: string; purchase: string } };

let assets: BuyerAssets | undefined;

/** Reads them once, at the first page. */
export function buyerAssets(): BuyerAssets {
  assets ??= JSON.parse(readFileSync("build/buyer.json", "utf8")) as BuyerAssets;
  return assets;
}
