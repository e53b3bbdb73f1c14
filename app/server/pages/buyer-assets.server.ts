import { readFileSync } from "node:fs";

/**
 * The buyer pages' inlined stylesheet and the addresses of their scripts: `form` for pages with a buyer form, `card` for
 * the card's page, `purchase` for the others. Created by scripts/build.ts.
 */
export type BuyerAssets = { css: string; scripts: { form: string; purchase: string; card: string } };

let assets: BuyerAssets | undefined;

/** Reads them once, at the first page. */
export function buyerAssets(): BuyerAssets {
  assets ??= JSON.parse(readFileSync("build/buyer.json", "utf8")) as BuyerAssets;
  return assets;
}
