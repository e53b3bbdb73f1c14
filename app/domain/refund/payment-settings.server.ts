import { type Db, db } from "#app/db/client.server.ts";
import { rejectStale, versionOf, withSellerLock } from "#app/db/version.server.ts";
import { checkPaymentKeys } from "#app/domain/gateway/check-payment-keys.server.ts";
import type { DisputedAccess, GatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { listUntested, storeGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { type Gateways, showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { checkResendKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import {
  findRefundsOverpayments,
  saveRefundsOverpayments,
} from "#app/domain/refund/refunds-overpayments.server.ts";
import {
  findDisputeAccess,
  storeDisputeAccess,
} from "#app/domain/sale/dispute/save-dispute-access.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

/** All that the API shows and saves of how a seller is paid. */
export type PaymentSettings = Gateways & { disputed_access: DisputedAccess; refund_overpayments: boolean };

/** With the version of all of it. @throws Refusal not-found */
export async function showPaymentSettings(
  sellerId: string,
  tx: Db = db,
): Promise<{ settings: PaymentSettings; version: string }> {
  const gateways = await showGateways(sellerId, tx);
  const { suspends } = await findDisputeAccess(sellerId, tx);
  const settings: PaymentSettings = {
    ...gateways,
    disputed_access: suspends ? "suspend" : "keep",
    refund_overpayments: await findRefundsOverpayments(sellerId, tx),
  };
  return { settings, version: versionOf(settings) };
}

/**
 * Saves the given fields, all or none, as `saveGateways` does on the page.
 * @returns the providers whose new keys nothing has shown to work, and the version of what was saved
 * @throws Refusal invalid; conflict where anything that the API shows was saved since `version`
 */
export async function savePaymentSettings(
  sellerId: string,
  form: GatewaysForm,
  origin?: RequestOrigin,
  version?: string,
): Promise<{ untested: string[]; version: string }> {
  const mailKey = await checkResendKey(sellerId, form.resend_api_key ?? "");
  const paymentKeys = await checkPaymentKeys(sellerId, form);
  const saved = await withSellerLock(sellerId, async (tx) => {
    const before = await showPaymentSettings(sellerId, tx);
    rejectStale(version, before.version);
    await storeGateways(tx, { sellerId, form, mailKey, paymentKeys, before: before.settings, origin });
    if (form.disputed_access) await storeDisputeAccess(tx, sellerId, form.disputed_access === "suspend");
    if (form.refund_overpayments !== undefined)
      await saveRefundsOverpayments(sellerId, form.refund_overpayments, tx);
    return showPaymentSettings(sellerId, tx);
  });
  return { untested: await listUntested(sellerId, paymentKeys), version: saved.version };
}
