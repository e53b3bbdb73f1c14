import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { checkoutCustomizations, thankYouCustomizations } from "#app/db/schema/storefront.server.ts";
import { requireOwnPictures } from "#app/domain/picture/require-own-pictures.server.ts";
import { type CheckoutSettings, mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { MAX_CODE_LENGTH } from "#app/domain/storefront/customization-form.server.ts";
import { CHECKOUT_LABELS, THANK_YOU_LABELS } from "#app/domain/storefront/customization-labels.ts";
import { mergeThankYouSettings, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import {
  type TidySettings,
  tidyCheckout,
  tidyThankYou,
} from "#app/domain/storefront/tidy-settings.server.ts";
import { Refusal } from "#app/kit/refusal.ts";

/**
 * Computes new settings from the current ones. `version` is the one the seller saw; without it any version is replaced.
 */
export type SettingsChange<T> = { update: (current: T) => T; version?: number | undefined };

/** Settings as stored, their new version, and what was removed from their HTML and CSS. */
export type SavedSettings<T> = TidySettings<T> & { version: number };

/**
 * Saves a seller's checkout settings; every process renders the seller's checkouts again at the next request.
 * @throws Refusal conflict if somebody saved since `version`; invalid (`custom_…`) if a text became too long when it was tidied
 */
export function saveCheckoutSettings(
  sellerId: string,
  change: SettingsChange<CheckoutSettings>,
): Promise<SavedSettings<CheckoutSettings>> {
  return saveVersioned(checkoutCustomizations, sellerId, change.version, (stored) => {
    const before = mergeCheckoutSettings(stored);
    const tidied = tidyCheckout(change.update(before));
    for (const field of ["custom_header", "custom_footer", "custom_css"] as const)
      refuseTooLong(field, CHECKOUT_LABELS[field], { before: before[field], after: tidied.settings[field] });
    return tidied;
  });
}

/** The same for the thank-you page. */
export function saveThankYouSettings(
  sellerId: string,
  change: SettingsChange<ThankYouSettings>,
): Promise<SavedSettings<ThankYouSettings>> {
  return saveVersioned(thankYouCustomizations, sellerId, change.version, (stored) => {
    const before = mergeThankYouSettings(stored);
    const tidied = tidyThankYou(change.update(before));
    const texts = { before: before.custom_message, after: tidied.settings.custom_message };
    refuseTooLong("custom_message", THANK_YOU_LABELS.custom_message, texts);
    return tidied;
  });
}

/** Without what is removed the rest is written anew, `&` as `&amp;`: stored, it could not be saved again. */
function refuseTooLong(field: string, label: string, { before, after }: { before: string; after: string }) {
  if (after.length <= MAX_CODE_LENGTH || after === before) return;
  throw new Refusal(
    "invalid",
    `${label} deve ter até ${MAX_CODE_LENGTH} caracteres: sem o que não é aceito, e com cada & escrito como &amp;, tem ${after.length}`,
    field,
  );
}

type Table = typeof checkoutCustomizations | typeof thankYouCustomizations;

function saveVersioned<T extends object>(
  table: Table,
  sellerId: string,
  version: number | undefined,
  change: (stored: unknown) => TidySettings<T>,
): Promise<SavedSettings<T>> {
  return db.transaction(async (tx) => {
    // Before the first save there is no row to lock.
    await tx.insert(table).values({ sellerId, version: 0 }).onConflictDoNothing();
    const [row] = await tx.select().from(table).where(eq(table.sellerId, sellerId)).for("update");
    if (version !== undefined && version !== row!.version)
      throw new Refusal(
        "conflict",
        "Estas configurações foram salvas em outro lugar depois que você as abriu",
      );
    const changed = change(row!.settings);
    const { brand_logo_url, logo_url } = changed.settings as Record<string, string | undefined>;
    await requireOwnPictures(tx, sellerId, { brand_logo_url, logo_url });
    const next = row!.version + 1;
    await tx
      .update(table)
      .set({ settings: changed.settings as Record<string, unknown>, version: next, updatedAt: new Date() })
      .where(eq(table.sellerId, sellerId));
    await notify(tx, "storefront", `seller:${sellerId}`);
    return { ...changed, version: next };
  });
}
