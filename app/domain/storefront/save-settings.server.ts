import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import { claimPictures } from "#app/domain/picture/claim-pictures.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { mergeThankYouSettings, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import {
  type TidySettings,
  tidyCheckout,
  tidyThankYou,
} from "#app/domain/storefront/tidy-settings.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * What a seller wants their settings to be, made from what they are. `version` is the one the seller looked at; without
 * it whatever is there is replaced.
 */
export type Change<T> = { to: (current: T) => T; version?: number | undefined };

/** Settings as stored, the version they have now, and what was taken out of their HTML and CSS. */
export type SavedSettings<T> = TidySettings<T> & { version: number };

/**
 * Saves a seller's checkout settings; every process draws the seller's checkouts anew at the next request.
 * @throws Refusal conflict where somebody saved since `version`
 */
export function saveCheckoutSettings(
  sellerId: string,
  change: Change<CheckoutSettings>,
): Promise<SavedSettings<CheckoutSettings>> {
  return save(checkoutCustomizations, sellerId, change.version, (stored) =>
    tidyCheckout(change.to(mergeCheckoutSettings(stored))),
  );
}

/** The same for the thank-you page. */
export function saveThankYouSettings(
  sellerId: string,
  change: Change<ThankYouSettings>,
): Promise<SavedSettings<ThankYouSettings>> {
  return save(thankYouCustomizations, sellerId, change.version, (stored) =>
    tidyThankYou(change.to(mergeThankYouSettings(stored))),
  );
}

type Table = typeof checkoutCustomizations | typeof thankYouCustomizations;

function save<T extends object>(
  table: Table,
  sellerId: string,
  version: number | undefined,
  change: (stored: unknown) => TidySettings<T>,
): Promise<SavedSettings<T>> {
  return db.transaction(async (tx) => {
    // The first save has no row to hold on to yet.
    await tx.insert(table).values({ sellerId, version: 0 }).onConflictDoNothing();
    const [row] = await tx.select().from(table).where(eq(table.sellerId, sellerId)).for("update");
    if (version !== undefined && version !== row!.version)
      throw new Refusal(
        "conflict",
        "Estas configurações foram salvas em outro lugar depois que você as abriu",
      );
    const changed = change(row!.settings);
    const { brand_logo_url, logo_url } = changed.settings as Record<string, string | undefined>;
    await claimPictures(tx, sellerId, { brand_logo_url, logo_url });
    const next = row!.version + 1;
    await tx
      .update(table)
      .set({ settings: changed.settings as Record<string, unknown>, version: next, updatedAt: new Date() })
      .where(eq(table.sellerId, sellerId));
    await notify(tx, "storefront", `seller:${sellerId}`);
    return { ...changed, version: next };
  });
}
