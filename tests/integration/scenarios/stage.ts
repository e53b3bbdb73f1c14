import { randomUUID } from "node:crypto";
import { findCoupons } from "#app/domain/coupon/choose-coupon.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { connectResend } from "#app/domain/mail/resend/connect-resend.server.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { claimPacedChecks, pacedCheckQueue } from "#app/domain/settlement/paced-check-queue.server.ts";
import { deliveryQueue } from "#app/jobs/delivery-queue.server.ts";
import { mailQueue } from "#app/jobs/mail-queue.server.ts";
import { order } from "#tests/integration/payments/support.ts";
import { pushinpayRig, type Rig, secondRig } from "#tests/integration/providers/rigs.ts";
import { secondBankUrl } from "#tests/integration/providers/second-bank.ts";
import { secondProvider } from "#tests/integration/providers/second-provider.ts";
import { chargeOf, checkAgain, openShopAt } from "#tests/integration/providers/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, type Seller, signedIn } from "#tests/support/make.ts";
import { makePixel } from "#tests/support/rows/make-destination.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { setForFile } from "#tests/support/run/after-file.ts";

export const PRICE_CENTS = 4700;
/** With the coupon of 20 % the buyer pays `PRICE_CENTS`. */
const LIST_PRICE_CENTS = 5875;

/** A shop of its own for one scenario, with one purchase in it and every kind of destination connected. Money in cents. */
export type Stage = {
  app: App;
  rig: Rig;
  seller: Seller;
  cookie: { Cookie: string };
  product: { id: number };
  saleId: string;
  /** The buyer's, and those that were corrected. */
  email: string;
  formerEmails: string[];
  /** Whether the seller's account was closed. */
  isClosed: boolean;
  /** The sale's charges at the provider, oldest first. */
  charges: { chargeId: string; providerId: string }[];
  /** The receiver of each kind of destination: the name of a receiver, or of a pixel. */
  receivers: { standard: string; kiwify: string; hotmart: string; meta: string; ga4: string };
  /** Another code for the same sale: the first one may be paid, too. */
  anotherCode: () => Promise<{ chargeId: string; providerId: string }>;
  /** Checks a charge at the provider, and books the result. */
  check: (at?: number) => Promise<unknown>;
  /** Runs the automatic checks of paid charges, as if they were scheduled now. */
  pacedCheck: () => Promise<void>;
  /** Pays a charge and has it booked. */
  pay: (at?: number, cents?: number) => Promise<void>;
  /** Sends all scheduled mails and deliveries. */
  deliver: () => Promise<void>;
};

/** The app, the sandbox and the tests' second provider, registered in both processes. */
export async function openStages() {
  setForFile(providers, secondProvider.name, secondProvider);
  const hook = new URL("../providers/second-provider-in-app.ts", import.meta.url);
  const app = await startApp({
    worker: 0,
    env: { NODE_OPTIONS: `--import=${hook}`, SECOND_BANK_URL: await secondBankUrl() },
  });
  await app.sandbox.gate({ enabled: false });
  const rigs = { pushinpay: pushinpayRig(app.sandbox), second: secondRig() };
  // The mail provider reports what becomes of mails.
  await connectResend.handle({ sellerId: "" }, { number: 1, last: false });
  await app.sandbox.webhooks({ header: { name: "x-pushinpay-token", value: rigs.pushinpay.secret } });
  return (which: keyof typeof rigs, options: Options = {}) => openStage(app, rigs[which], options);
}

type Options = { mailDomain?: string; hasCoupon?: boolean | undefined };

async function openStage(
  app: App,
  rig: Rig,
  { mailDomain = "exemplo.com.br", hasCoupon = false }: Options,
): Promise<Stage> {
  const { seller, product } = await openShopAt(rig, hasCoupon ? LIST_PRICE_CENTS : PRICE_CENTS);
  if (hasCoupon) await makeCoupon(seller, { code: "VOLTA20", percent: 20, maxUsesPerBuyer: 1 });
  const mark = randomUUID().slice(0, 8);
  const receivers = {
    standard: `standard-${mark}`,
    kiwify: `kiwify-${mark}`,
    hotmart: `hotmart-${mark}`,
    meta: `${Date.now()}`,
    ga4: `G-${mark.toUpperCase()}`,
  };
  for (const form of ["standard", "kiwify", "hotmart"] as const)
    await makeWebhook(seller, { name: receivers[form], form });
  await makePixel(seller, "meta", { pixelId: receivers.meta });
  await makePixel(seller, "ga4", { pixelId: receivers.ga4 });
  await makeTracking(seller);
  // The mail provider's own addresses bounce by the text before the plus sign.
  const email = mailDomain === "resend.dev" ? `bounced+${mark}@resend.dev` : `bia-${mark}@${mailDomain}`;
  const customer = { ...order(product.id).customer, email };
  const { saleId } = await placeSale(
    order(product.id, {
      customer,
      guaranteeDays: 30,
      coupon: hasCoupon ? (await findCoupons(seller.id, ["VOLTA20"]))[0]! : null,
      adAnswer: { adConsent: true, adIds: { agent: "Mozilla/5.0", fbp: "fb.0.1767225600000.1" } },
      campaign: { fbclid: "IwAR0abc123" },
    }),
  );
  const charges = [await chargeOf((await startPix(saleId)).chargeId)];
  const stage: Stage = {
    ...{ app, rig, seller, product, saleId, email, formerEmails: [], isClosed: false, charges, receivers },
    cookie: await signedIn(seller),
    async anotherCode() {
      await sql`update charges set expires_at = now() - interval '1 minute' where sale_id = ${saleId} and status = 'open'`;
      const charge = await chargeOf((await startPix(saleId)).chargeId);
      charges.push(charge);
      return charge;
    },
    check: (at = 0) => checkAgain(charges[at]!.chargeId),
    async pacedCheck() {
      await sql`update charges set last_checked_at = null where sale_id = ${saleId}`;
      await sql`update paced_checks set scheduled_at = now() - interval '1 second'
        where charge_id in (select id from charges where sale_id = ${saleId})`;
      for (const claimed of await claimPacedChecks(50)) await pacedCheckQueue.handle(claimed);
    },
    async pay(at = 0, cents) {
      await rig.pay(charges[at]!.providerId, cents);
      await checkAgain(charges[at]!.chargeId);
    },
    deliver,
  };
  return stage;
}

/** As a worker does, until nothing is scheduled. */
async function deliver(): Promise<void> {
  for (let isMore = true; isMore; ) {
    const [someMails, someWebhooks] = [await mailQueue.claim(50), await deliveryQueue.claim(50)];
    await Promise.all([
      ...someMails.map((one) => mailQueue.handle(one)),
      ...someWebhooks.map((one) => deliveryQueue.handle(one)),
    ]);
    const [waiting] = await sql`select
      (select count(*) from queued_mails where scheduled_at < now() + interval '3 seconds') +
      (select count(*) from deliveries where status = 'queued' and scheduled_at < now() + interval '1 second') as n`;
    isMore = Number(waiting!.n) > 0;
  }
}
