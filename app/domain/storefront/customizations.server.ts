import type { z } from "zod";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import {
  checkoutCustomizationForm,
  thankYouCustomizationForm,
} from "#app/domain/storefront/customization-form.server.ts";
import { CHECKOUT_LABELS, THANK_YOU_LABELS } from "#app/domain/storefront/customization-labels.ts";
import {
  findOwnCheckoutSettings,
  findOwnThankYouSettings,
  type VersionedSettings,
} from "#app/domain/storefront/find-own-settings.server.ts";
import {
  type SavedSettings,
  type SettingsChange,
  saveCheckoutSettings,
  saveThankYouSettings,
} from "#app/domain/storefront/save-settings.server.ts";
import type { ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import {
  type TidySettings,
  tidyCheckout,
  tidyThankYou,
} from "#app/domain/storefront/tidy-settings.server.ts";

/** One of the two pages a seller customizes: how its settings are read, saved and named. */
export type Customization<T extends object> = {
  schema: z.ZodType<T>;
  find: (sellerId: string) => Promise<VersionedSettings<T>>;
  save: (sellerId: string, change: SettingsChange<T>) => Promise<SavedSettings<T>>;
  tidy: (settings: T) => TidySettings<T>;
  labels: Record<keyof T, string>;
};

export const CHECKOUT_CUSTOMIZATION: Customization<CheckoutSettings> = {
  schema: checkoutCustomizationForm,
  find: findOwnCheckoutSettings,
  save: saveCheckoutSettings,
  tidy: tidyCheckout,
  labels: CHECKOUT_LABELS,
};

export const THANK_YOU_CUSTOMIZATION: Customization<ThankYouSettings> = {
  schema: thankYouCustomizationForm,
  find: findOwnThankYouSettings,
  save: saveThankYouSettings,
  tidy: tidyThankYou,
  labels: THANK_YOU_LABELS,
};
