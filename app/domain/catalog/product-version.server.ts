import { versionOf } from "#app/db/version.server.ts";
import type { OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import { ownProductJson } from "#app/domain/catalog/product-json.ts";

/** One version for a product with its bumps and offers: its form saves all of them. */
export function productVersion(product: OwnProduct): string {
  return versionOf(ownProductJson(product));
}
