import type { AskedFields } from "#app/domain/order/order-form.server.ts";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/** Which fields a checkout with these settings asks for. */
export function askedFields(settings: CheckoutSettings): AskedFields {
  return {
    name: settings.require_name,
    email: settings.require_email,
    emailConfirmation: settings.require_email_confirmation,
    phone: settings.require_phone,
    document: settings.require_document,
  };
}
