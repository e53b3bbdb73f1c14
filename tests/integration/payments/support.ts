import type { Order } from "#app/domain/order/order.ts";
import { placeSale } from "#app/domain/order/place-sale.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { checkClaimedCharge } from "#app/domain/settlement/charge-check-queue.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";

/** A shop that can be paid: seller with gateway, a product of R$ 97,00 and a bump of R$ 19,90. */
export async function openShop() {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const bump = await makeBump(product);
  return { seller, product, bump };
}

/** What Bia types into the form of a checkout. */
export const typedBuyer = (email = "bia@exemplo.com.br") => ({
  customer_name: "Bia Compradora",
  customer_email: email,
  customer_email_confirmation: email,
  customer_phone: "(11) 98765-4321",
  customer_document: "529.982.247-25",
});

/** What Bia orders; `fields` replaces some. */
export function order(productId: number, fields: Partial<Order> = {}): Order {
  return {
    productId,
    bumpIds: [],
    ...{ quantity: 1, coupon: null, overRefusal: null, offerGraceMs: 0 },
    ...{ isCard: false, pixPercent: 0, charge: null },
    ...{ device: null, seenAt: null, seenCents: null, seenGuaranteeDays: null, isRepurchase: false },
    adAnswer: { adConsent: null, adIds: null },
    customer: {
      name: "Bia Compradora",
      email: "bia@exemplo.com.br",
      phone: "+5511987654321",
      document: "52998224725",
    },
    ip: "203.0.113.7",
    campaign: {},
    // Each buyer in their own browser, without cookies.
    buyerContext: { client: fields.customer?.email ?? "bia", userAgent: "test", placedSaleIds: [] },
    ...fields,
  };
}

/** A sale with a PIX that can be paid. */
export async function buy(productId: number, fields: Partial<Order> = {}) {
  const { saleId } = await placeSale(order(productId, fields));
  const { chargeId } = await startPix(saleId);
  const [charge] = await sql`select * from charges where id = ${chargeId}`;
  return { saleId, chargeId, providerId: charge!.provider_id as string };
}

/** All data about a sale, for comparing. */
export async function stateOf(saleId: string) {
  const [sale] = await sql`select status, completed_at from sales where id = ${saleId}`;
  const events = await sql`select kind, cause from sale_events where sale_id = ${saleId} order by id`;
  const mails = await sql`select kind, status from mails where sale_id = ${saleId} order by kind`;
  const charges =
    await sql`select id, status, overpaid_at, failure_kind || ': ' || coalesce(failure_detail, '') as failure from charges where sale_id = ${saleId} order by created_at`;
  return {
    status: sale?.status as string,
    completions: events.filter((e) => e.kind === "completed").length,
    mails: mails.filter((m) => m.kind === "purchase").length,
    charges: charges.map((c) => ({
      id: c.id as string,
      status: c.status as string,
      surplus: c.overpaid_at !== null,
      failure: c.failure as string | null,
    })),
  };
}

/** Checks one charge, as a worker does that has just claimed it. */
export async function checkNow(chargeId: string): Promise<void> {
  const [cost] =
    await sql`update charges set next_check_at = date_trunc('milliseconds', now()) where id = ${chargeId} returning next_check_at`;
  await checkClaimedCharge({ chargeId, leasedUntil: cost!.next_check_at, requestedBy: null });
}
