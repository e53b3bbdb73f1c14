import { createCalls } from "./calls.ts";
import { createConversions } from "./conversions.ts";
import { createFaults } from "./faults.ts";
import { createMemberships } from "./memberships.ts";
import { MERCADOPAGO_DEFAULTS } from "./mercadopago/settings.ts";
import { mercadopagoFormat } from "./mercadopago/webhook-format.ts";
import { IDENTITY_DEFAULTS } from "./personas.ts";
import { PUSHINPAY_DEFAULTS } from "./pushinpay.ts";
import { createArrivals } from "./receiver.ts";
import { createResendState } from "./resend-accounts.ts";
import { RESEND_DEFAULTS } from "./resend-guards.ts";
import { createSnapshot } from "./snapshot.ts";
import { createTime } from "./time.ts";
import { createTransactions, type Transactions } from "./transactions.ts";
import { createOrders } from "./utmify-orders.ts";
import { createWebhooks } from "./webhooks.ts";
import { createWooviKeys } from "./woovi/keys.ts";
import { WOOVI_DEFAULTS } from "./woovi/settings.ts";
import { wooviFormat } from "./woovi/webhook-format.ts";

/** The whole state of one sandbox, created once per server; none of it is global. */
export type World = ReturnType<typeof createWorld>;

export function createWorld(dataDir?: string) {
  const time = createTime();
  const calls = createCalls();
  const faults = createFaults(calls);
  const snapshot = createSnapshot(dataDir, () => transactions.list());
  const transactions: Transactions = createTransactions(time, () => snapshot.changed());
  const wooviKeys = createWooviKeys();
  const mercadopagoSettings = { ...MERCADOPAGO_DEFAULTS };
  const wooviSettings = { ...WOOVI_DEFAULTS };
  const webhooks = createWebhooks(time, {
    woovi: wooviFormat(wooviSettings, wooviKeys),
    mercadopago: mercadopagoFormat(mercadopagoSettings),
  });
  const resend = createResendState();
  const orders = createOrders(time);
  const arrivals = createArrivals(time);
  const conversions = createConversions(time);
  const memberships = createMemberships(time);
  const settings = {
    pushinpay: { ...PUSHINPAY_DEFAULTS },
    woovi: wooviSettings,
    mercadopago: mercadopagoSettings,
    resend: { ...RESEND_DEFAULTS },
    identity: { ...IDENTITY_DEFAULTS },
  };
  const alsoReset: (() => void)[] = [];
  transactions.load(snapshot.load());

  return {
    time,
    calls,
    faults,
    snapshot,
    transactions,
    webhooks,
    resend,
    orders,
    arrivals,
    conversions,
    memberships,
    settings,
    wooviKeys,
    /** For parts with state of their own. */
    onReset(clear: () => void) {
      alsoReset.push(clear);
    },
    /** Clears all state, drops pending work and restores the default settings. */
    reset() {
      const recorders = [orders, arrivals, conversions, memberships];
      for (const part of [time, calls, faults, transactions, webhooks, resend, ...recorders]) part.reset();
      Object.assign(settings.pushinpay, PUSHINPAY_DEFAULTS);
      Object.assign(settings.woovi, WOOVI_DEFAULTS);
      Object.assign(settings.mercadopago, MERCADOPAGO_DEFAULTS);
      Object.assign(settings.resend, RESEND_DEFAULTS);
      Object.assign(settings.identity, IDENTITY_DEFAULTS);
      for (const clear of alsoReset) clear();
    },
  };
}
