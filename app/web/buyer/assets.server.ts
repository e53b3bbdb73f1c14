import { readFileSync } from "node:fs";

/** The buyer pages' stylesheet, inlined, and the address of their script. Made by scripts/build.ts. */
export type BuyerAssets = { css: string; script: string };

let assets: BuyerAssets | undefined;

/** Read once, at the first page. */
export function buyerAssets(): BuyerAssets {
  assets ??= JSON.parse(readFileSync("build/buyer.json", "utf8")) as BuyerAssets;
  return assets;
}
