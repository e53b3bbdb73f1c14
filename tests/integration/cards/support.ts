import { placeOrder } from "#app/domain/checkout/place-order.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { paths } from "#app/kit/paths.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";

const VISA = "4235647728025682";

/** A shop that takes PIX and cards, with a product of R$ 97,00. `account`: of its account for cards. */
export async function cardShop({ account = {} as Parameters<typeof makeGateway>[1] } = {}) {
  const seller = await makeSeller();
  await makeGateway(seller);
  const apiKey = `APP_USR-sandbox-${crypto.randomUUID()}`;
  const { hookToken } = await makeCardGateway(seller, { apiKey, ...account });
  return { seller, product: await makeProduct(seller), apiKey, hookToken };
}

/** An order of the shop's product. */
export async function orderCard(
  productId: number,
  { isCard = true, email = "", coupon = null as string | null, isAgain = false } = {},
): Promise<string> {
  const mail = email || `${crypto.randomUUID()}@exemplo.com.br`;
  const { saleId } = await placeOrder({
    product: { id: productId },
    fields: {
      ...{ customer_name: "Bia Souza", customer_email: mail, customer_email_confirmation: null },
      ...{ customer_phone: "11987654321", customer_document: "52998224725", order_bumps: [] },
    },
    ...{ coupons: { typed: coupon, linked: null }, campaign: [], ip: "203.0.113.7" },
    ads: { hasConsent: false } as never,
    ...{
      device: null,
      seenAt: null,
      seenOfferId: null,
      seenPrices: "",
      seenGuaranteeDays: null,
      timerEndsAt: 0,
    },
    ...{ isRepurchase: isAgain, isCard },
    buyerContext: { client: isAgain ? `${mail} outra` : mail, userAgent: "test", placedSaleIds: [] },
  });
  return saleId;
}

/** The token of a card whose holder's name decides how the payment ends, as the provider's fields make it. */
export async function cardToken(app: App, name = "APRO"): Promise<string> {
  const answer = await fetch(`${app.sandbox.url}/mercadopago/v1/card_tokens?public_key=APP_USR-publica`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ card_number: VISA, security_code: "123", expiration_month: 11, expiration_year: 2050 },
      cardholder: { name, identification: { type: "CPF", number: "12345678909" } },
    }),
  });
  return ((await answer.json()) as { id: string }).id;
}

/** Sends the card page's form as its script does. `name` decides how the payment ends. */
export async function sendCard(
  app: App,
  saleId: string,
  name = "APRO",
  fields: Record<string, string> = {},
  client: string | null = null,
): Promise<{ status: number; location: string | null; html: string }> {
  const body = new URLSearchParams({
    ...{ token: await cardToken(app, name), brand: "visa", instalments: "1", device_id: "aparelho" },
    ...{ holder_name: `${name} Souza`, holder_document: "123.456.789-09", ...fields },
  });
  const headers = { "x-requested-with": "fetch", ...(client ? { "x-forwarded-for": client } : {}) };
  const answer = await app.fetch(paths.card(saleId), { method: "POST", body, headers });
  return { status: answer.status, location: answer.headers.get("location"), html: await answer.text() };
}

/** A sale's state and its card charges. */
export async function cardStateOf(saleId: string) {
  const [sale] = await sql`select status, payment_method as method from sales where id = ${saleId}`;
  const charges = await sql`select status, instalments, amount_cents, buyer_cents, decline_reason as reason
    from charges where sale_id = ${saleId} and method = 'card' order by created_at`;
  return { status: sale!.status, method: sale!.method, charges: charges.map((charge) => ({ ...charge })) };
}

/** A sale that was paid by card. */
export async function sellByCard(app: App, productId: number, fields: Record<string, string> = {}) {
  const saleId = await orderCard(productId);
  await sendCard(app, saleId, "APRO", fields);
  const [charge] =
    await sql`select id, provider_id from charges where sale_id = ${saleId} and status = 'paid'`;
  return { saleId, chargeId: charge!.id as string, providerId: charge!.provider_id as string };
}

/** Checks a paid charge as its account's paced checks do. */
export async function checkPaid(chargeId: string): Promise<string> {
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  const result = await checkCharge(chargeId, { evenIfUnchanged: true });
  return result.kind === "checked" ? result.outcome : result.kind;
}

/** A sale's state, its disputes, and its events since it was paid. */
export async function disputeStateOf(saleId: string) {
  const [sale] = await sql`select status, refunded_cents from sales where id = ${saleId}`;
  const disputes = await sql`select status, origin, amount_cents, provider_id, evidence_status as evidence,
    evidence_due_at as due, evidence_sent_at is not null as is_sent from disputes where sale_id = ${saleId} order by opened_at`;
  const events = await sql`select kind, cause from sale_events where sale_id = ${saleId}
    and kind not in ('placed', 'completed', 'viewed') order by id`;
  return {
    ...{ status: sale!.status, refundedCents: sale!.refunded_cents },
    disputes: disputes.map((dispute) => ({ ...dispute })),
    events: events.map(({ kind, cause }) => `${kind} by ${cause}`),
  };
}
