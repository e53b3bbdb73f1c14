import type { PixScreen } from "#app/domain/pix/show-pix.server.ts";
import { paths, type RETRY_AFTER_FAILURE } from "#app/kit/paths.ts";

/** The form's URL as the buyer opened it, so that going back does not lose the campaign. */
export function backToForm(
  { productId, checkoutSlug, campaign }: Pick<PixScreen, "productId" | "checkoutSlug" | "campaign">,
  reason: "1" | typeof RETRY_AFTER_FAILURE = "1",
): string {
  const query = new URLSearchParams(Object.entries(campaign).map(([name, value]) => [name, value ?? ""]));
  return paths.backToCheckout({ id: productId, checkoutSlug }, query, reason);
}
