import type { RequiredFields } from "#app/domain/order/order-form.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/** The required fields of a checkout with these settings. */
export function getRequiredFields(settings: CheckoutSettings): RequiredFields {
  return {
    name: settings.require_name,
    email: settings.require_email,
    emailConfirmation: settings.require_email_confirmation,
    phone: settings.require_phone,
    document: settings.require_document,
  };
}
