import { findProduct } from "#app/domain/catalog/find-product.server.ts";
import { productVersion } from "#app/domain/catalog/update-product.server.ts";
import { couponVersion } from "#app/domain/coupon/coupon-json.server.ts";
import { showWebhook } from "#app/domain/delivery/webhook/webhooks.server.ts";
import { createApiKey, listApiKeys } from "#app/domain/identity/access/api-keys.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { SCOPES } from "#app/domain/identity/access/scopes.ts";
import { offerVersion } from "#app/domain/offer/offer-json.server.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCharge,
  makeCoupon,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";
import { showMemberArea, showPixel } from "#tests/support/rows/destinations.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

/** One of everything that a seller can have. Add what your part stores: every row below may then name it. */
export async function makeThings(name: string) {
  const seller = await makeSeller({ name });
  const product = await makeProduct(seller, { name: `Produto de ${name}`, checkoutSlug: null });
  const bump = await makeBump(product, { name: `Bump de ${name}` });
  const upsell = await makeUpsell(product, { name: `Oferta de ${name}` });
  const coupon = await makeCoupon(seller, { code: `DE-${name.toUpperCase()}`, productIds: [product.id] });
  const offer = await makeOffer(product, { name: `Lote de ${name}` });
  await makeGateway(seller);
  await makeTracking(seller, { sourceId: `origem-${name}` });
  const webhookId = await makeWebhook(seller, { name: `webhook-${seller.id}` });
  const deliveryId = await makeDelivery(seller, webhookId);
  const [file] = await sql<
    { id: string }[]
  >`insert into files (seller_id, name, size) values (${seller.id}, ${`Arquivo de ${name}`}, 10) returning id`;
  await sql`insert into pictures (id, seller_id, use, source_id)
    values (${file!.id}, ${seller.id}, 'product', ${file!.id})`;
  const [content] = await sql<
    { id: string }[]
  >`insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id`;
  const [item] = await sql<
    { id: string }[]
  >`insert into content_items (content_id, seller_id, kind, name, url)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'link', ${`Item de ${name}`}, 'https://exemplo.com.br/x') returning id`;
  const areaId = await makeMemberArea(seller, "memberkit", { name: `Área de ${name}` });
  const pixelId = await makePixel(seller, "meta", { name: `Pixel de ${name}` });
  const sale = await makeSale(product, {
    status: "completed",
    customerName: `Cliente de ${name}`,
    customerDocumentSealed: seal("52998224725"),
  });
  const charge = await makeCharge(sale, { status: "paid" });
  await openSession(seller.id, { ip: null, userAgent: `Navegador de ${name}` });
  const key = await createApiKey(seller.id, { name: `Chave de ${name}`, scopes: [...SCOPES] });
  const [apiKey] = await listApiKeys(seller.id);
  const [session] = await sql<{ id: string }[]>`select id from sessions where seller_id = ${seller.id}`;
  return {
    seller,
    product,
    productVersion: productVersion(await findProduct(seller.id, product.id)),
    coupon,
    couponVersion: couponVersion(coupon),
    bump,
    upsell,
    offer,
    offerVersion: offerVersion(offer),
    sale,
    charge,
    key,
    apiKeyId: apiKey!.id,
    sessionId: session!.id,
    webhookId,
    webhookVersion: (await showWebhook(seller.id, webhookId)).version,
    newsId: deliveryId,
    fileId: file!.id,
    itemId: item!.id,
    pictureId: file!.id,
    areaId,
    areaVersion: (await showMemberArea(seller.id, areaId)).version,
    pixelId,
    pixelVersion: (await showPixel(seller.id, pixelId)).version,
  };
}
export type Things = Awaited<ReturnType<typeof makeThings>>;

/** A request of seller A. `params` fill the address; `json` or `form` is its body. */
export type Attempt = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  params?: Record<string, string>;
  query?: string;
  json?: object;
  form?: Record<string, string>;
  /** The expected answer: 404 unless stated otherwise here. `any` is for requests that name nothing of B. */
  answers?: number | "any";
};

/**
 * What A attempts at an address: requests that name B's things (answered 404) or, with `answers: "any"`, that name
 * nothing of B's. Whatever is answered, it contains nothing of B's, and nothing of B's has changed. A text states why
 * nothing is attempted: the address is public, or concerns only A and the outside. A `seller/` or `api/` route
 * without a row fails the test.
 */
export type Row = string | ((b: Things, a: Things) => Attempt[]);

const own =
  (...attempts: Attempt[]): Row =>
  () =>
    attempts.map((attempt) => ({ ...attempt, answers: "any" }));
const read = own({});
const store = {
  legal_name: "Loja de A",
  tax_id: "529.982.247-25",
  street: "Rua A",
  number: "1",
  district: "Centro",
  city: "Campinas",
  state: "SP",
  postal_code: "13010-000",
  email: "a@exemplo.com.br",
};
const product = (b: Things) => ({ productId: String(b.product.id) });
const sale = (b: Things) => ({ saleId: b.sale.id });
const pixel = {
  kind: "meta",
  name: "Conta",
  pixel_id: "1234567890",
  token: "sandbox-token",
  events: "sale.paid",
};
const cademi = { kind: "cademi", name: "Escola", area: "escola", token: "sandbox-token" };
const memberkit = { kind: "memberkit", name: "Escola", token: "sandbox-token" };
const hook = { name: "W", url: "https://example.com/w", events: "sale.paid" };
const apiHook = { ...hook, events: ["sale.paid"] };
const aCoupon = { code: "TOMADO", discount: "10" };
const apiCoupon = { code: "TOMADO", percent: 10 };
const coupon = (b: Things) => ({ couponId: b.coupon.id });
const anOffer = { name: "Tomada", price: "1,00" };
const someBumps = (b: Things) => ({ ...anOffer, bumps_scope: "some", bumps: String(b.bump.id) });
const offer = (b: Things) => ({ ...product(b), offerId: b.offer.id });
const SPAN = ["2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"];
const webhook = (b: Things) => ({ webhookId: b.webhookId });
const apiLink = { kind: "link", name: "Grupo", url: "https://exemplo.com.br/grupo" };
const aLink = { intent: "add-link", name: "X", url: "https://a.b/c" };
const changed = { name: "Tomado", price: "1,00", file_url: "https://a.b/c" };

/** By address, in the order of remix.config.js. */
export const isolation: Record<string, Row> = {
  "/settings/email/preview": own({ method: "POST", form: { html_content: "{{customer_name}}" } }),
  "/dashboard": read,
  "/products": (b) => [
    { answers: "any" },
    { query: "?search=alheia", answers: "any" },
    { query: `?before=${Date.now() + 60_000}-${b.product.id + 1}`, answers: "any" },
    ...["delete", "duplicate", "activate", "deactivate"].map(
      (intent): Attempt => ({ method: "POST", form: { intent, id: String(b.product.id) } }),
    ),
  ],
  "/products/create": (b) => [
    { answers: "any" },
    {
      method: "POST",
      form: {
        ...changed,
        "orderBumps[0].id": String(b.bump.id),
        "orderBumps[0].name": "X",
        "orderBumps[0].price": "1",
      },
    },
  ],
  "/products/:productId/edit": (b, a) => [
    { params: product(b) },
    { method: "POST", params: product(b), form: changed },
    { method: "POST", params: product(b), form: {} },
    {
      method: "POST",
      params: product(a),
      form: {
        ...changed,
        version: a.productVersion,
        "orderBumps[0].id": String(b.bump.id),
        "orderBumps[0].name": "X",
        "orderBumps[0].price": "1",
      },
    },
    {
      method: "POST",
      params: product(a),
      form: {
        ...changed,
        version: a.productVersion,
        "upsells[0].id": String(b.upsell.id),
        "upsells[0].name": "X",
        "upsells[0].price": "1",
      },
    },
  ],
  "/products/:productId/links": (b, a) => [
    { params: product(b) },
    { params: product(a), query: `?bump=${b.bump.id}`, answers: "any" },
  ],
  "/products/:productId/qrcode": (b) => [{ params: product(b), query: "?format=png" }],
  "/products/:productId/offers": (b, a) => [
    { params: product(b) },
    ...["delete", "duplicate", "activate", "deactivate", "up", "down"].flatMap((intent): Attempt[] =>
      [product(a), product(b)].map((params) => ({
        method: "POST",
        params,
        form: { intent, id: b.offer.id },
      })),
    ),
  ],
  "/products/:productId/offers/create": (b, a) => [
    { params: product(b) },
    { method: "POST", params: product(b), form: anOffer },
    { method: "POST", params: product(b), form: {} },
    { method: "POST", params: product(a), form: someBumps(b) },
    {
      method: "POST",
      params: product(a),
      form: { ...anOffer, upsells_scope: "some", upsells: String(b.upsell.id) },
    },
    { method: "POST", params: product(a), form: { ...anOffer, slug: b.offer.slug }, answers: 409 },
  ],
  "/products/:productId/offers/:offerId/edit": (b, a) => [
    { params: offer(b) },
    { params: { ...product(a), offerId: b.offer.id } },
    { method: "POST", params: offer(b), form: anOffer },
    { method: "POST", params: { ...product(a), offerId: b.offer.id }, form: {} },
    { method: "POST", params: offer(a), form: { ...someBumps(b), version: a.offerVersion } },
  ],
  "/coupons": (b) => [
    { answers: "any" },
    { query: `?before=${Date.now() + 60_000}_${b.coupon.id}`, answers: "any" },
    ...["delete", "duplicate", "activate", "deactivate"].map(
      (intent): Attempt => ({ method: "POST", form: { intent, id: b.coupon.id } }),
    ),
  ],
  "/coupons/create": (b) => [
    { answers: "any" },
    { method: "POST", form: { ...aCoupon, scope: "some", products: String(b.product.id) } },
    { method: "POST", form: { ...aCoupon, offers_scope: "some", offer_ids: b.offer.id } },
  ],
  "/coupons/:couponId/edit": (b, a) => [
    { params: coupon(b) },
    { params: coupon(a), query: `?product=${b.product.id}`, answers: "any" },
    { method: "POST", params: coupon(b), form: aCoupon },
    { method: "POST", params: coupon(b), form: {} },
    {
      method: "POST",
      params: coupon(a),
      form: { ...aCoupon, version: a.couponVersion, scope: "some", products: String(b.product.id) },
    },
  ],
  "/products/:productId/content": (b, a) => [
    { params: product(b) },
    { params: product(a), query: `?for=bump-${b.bump.id}` },
    { params: product(a), query: `?for=offer-${b.upsell.id}`, method: "POST", form: aLink },
    { params: product(b), method: "POST", form: aLink },
    ...["save", "remove", "up", "down"].map(
      (intent): Attempt => ({
        params: product(a),
        method: "POST",
        form: { ...aLink, intent, kind: "link", id: b.itemId },
      }),
    ),
    { params: product(a), method: "POST", form: { intent: "cancel", id: b.fileId } },
  ],
  "/products/:productId/content/preview": (b) => [{ params: product(b) }],
  "/reports": (b) => [
    { answers: "any" },
    { query: "?tab=emails", answers: "any" },
    { query: `?tab=funnel&product=${b.product.id}`, answers: "any" },
    { query: "?search=Cliente", answers: "any" },
    { query: `?product=${b.product.id}`, answers: "any" },
    { method: "POST", form: { intent: `resend ${b.sale.id}` } },
  ],
  "/reports/import": (b) => [
    { answers: "any" },
    {
      method: "POST",
      answers: "any",
      form: {
        intent: "compare",
        statement: `id;valor\n${b.charge.providerId};1,00`,
        id: "0",
        amount: "1",
        head: "on",
      },
    },
  ],
  "/reports/conciliacao": own({}, { method: "POST", form: { intent: "check" } }),
  "/reports/sales/:saleId": (b): Attempt[] => [
    { params: sale(b) },
    {
      method: "POST",
      params: sale(b),
      form: { customer_name: "Tomada", customer_email: "a@exemplo.com.br" },
    },
    { method: "POST", params: sale(b), form: { intent: "show-document" } },
    { method: "POST", params: sale(b), form: { intent: "decline", words: "Não" } },
  ],
  "/products/:productId/preview": (b) => [
    { params: product(b) },
    { method: "POST", params: product(b), form: { customer_name: "Tomada" } },
  ],
  "/checkout-customization": own({}, { method: "POST", form: { brand_name: "Loja" } }),
  "/thank-you-customization": own({}, { method: "POST", form: { title: "Obrigada!" } }),
  "/checkout-customization/preview": own({}, { method: "POST", form: { brand_name: "Loja" } }),
  "/thank-you-customization/preview": own({}, { method: "POST", form: { title: "Obrigada!" } }),
  "/settings": (b) => [
    { answers: "any" },
    { query: "?tab=seguranca", answers: "any" },
    { method: "POST", form: { intent: "revoke-key", id: b.apiKeyId } },
    { method: "POST", form: { intent: "end-session", id: b.sessionId } },
  ],
  // Its button ends A's own session and key, which the rows below need: identity/joining tests it.
  "/settings/access": read,
  // Its button closes A's own account, which the rows below need: erasure/seller tests it.
  "/settings/close": read,
  "/settings/close/dados.json": read,
  "/settings/gateways/:provider/webhook": own(
    { params: { provider: "mercadopago" } },
    ...["start-test", "webhook-secret"].map(
      (intent): Attempt => ({
        ...{ method: "POST", params: { provider: "mercadopago" } },
        form: { intent, webhook_secret: "tomada" },
      }),
    ),
  ),
  "/settings/store": own({}, { method: "POST", form: { ...store, intent: "save" } }),
  "/settings/utmfy": read,
  "/settings/webhooks": read,
  "/settings/webhooks/new": (b) => [
    { answers: "any" },
    { method: "POST", form: { ...hook, scope: "some", products: String(b.product.id) } },
  ],
  "/settings/webhooks/:webhookId": (b, a) => [
    ...["", "?tab=configuracao", "?tab=receber"].map(
      (query): Attempt => ({ params: { webhookId: b.webhookId }, query }),
    ),
    ...["save", "reveal", "rotate", "pause", "resume", "delete", "test", "resend:x", "resend-span"].map(
      (intent): Attempt => ({
        method: "POST",
        params: { webhookId: b.webhookId },
        form: { ...hook, intent, event: "sale.paid", from: "2026-01-01", to: "2026-12-31" },
      }),
    ),
    {
      method: "POST",
      params: { webhookId: a.webhookId },
      form: {
        ...hook,
        intent: "save",
        version: a.webhookVersion,
        scope: "some",
        products: String(b.product.id),
      },
    },
  ],
  "/settings/integrations": read,
  "/settings/pixels": read,
  "/settings/pixels/new": (b) => [
    { query: "?kind=meta", answers: "any" },
    { method: "POST", form: { ...pixel, scope: "some", products: String(b.product.id) } },
  ],
  "/settings/pixels/:pixelId": (b, a) => [
    ...["", "?tab=configuracao"].map((query): Attempt => ({ params: { pixelId: b.pixelId }, query })),
    ...["save", "pause", "resume", "delete", "test", "resend:x", "resend-span"].map(
      (intent): Attempt => ({
        method: "POST",
        params: { pixelId: b.pixelId },
        form: { ...pixel, intent, event: "sale.paid", code: "T", from: "2026-01-01", to: "2026-12-31" },
      }),
    ),
    // A's own webhook is no pixel.
    { params: { pixelId: a.webhookId } },
    {
      method: "POST",
      params: { pixelId: a.pixelId },
      form: {
        ...pixel,
        intent: "save",
        version: a.pixelVersion,
        scope: "some",
        products: String(b.product.id),
      },
    },
  ],
  "/settings/member-areas": read,
  "/settings/member-areas/new": (b) => [
    ...["?kind=cademi", "?kind=memberkit"].map((query): Attempt => ({ query, answers: "any" })),
    { method: "POST", form: { ...cademi, scope: "some", products: String(b.product.id) } },
    ...[String(b.product.id), `bump-${b.bump.id}`, `offer-${b.upsell.id}`].map(
      (item): Attempt => ({
        method: "POST",
        form: { ...memberkit, "classes[0].item": item, "classes[0].ids": "101" },
      }),
    ),
  ],
  "/settings/member-areas/:areaId": (b, a) => [
    ...["", "?tab=configuracao", "?tab=produtos"].map(
      (query): Attempt => ({ params: { areaId: b.areaId }, query }),
    ),
    ...["save", "pause", "resume", "delete", "test", "resend:x", "resend-span"].map(
      (intent): Attempt => ({
        method: "POST",
        params: { areaId: b.areaId },
        form: { ...memberkit, intent, from: "2026-01-01", to: "2026-12-31" },
      }),
    ),
    // A's own pixel is no member area.
    { params: { areaId: a.pixelId } },
    {
      method: "POST",
      params: { areaId: a.areaId },
      form: {
        ...memberkit,
        intent: "save",
        version: a.areaVersion,
        "classes[0].item": `bump-${b.bump.id}`,
        "classes[0].ids": "101",
      },
    },
  ],
  "/settings/utmfy/debug": (b) => [
    { answers: "any" },
    { method: "POST", form: { intent: `retry:${b.sale.id}` } },
  ],
  "/settings/email": own({}, { query: "?tab=domain" }, { query: "?tab=anti-spam" }),
  "/reports/export": (b) => [{ answers: "any" }, { query: `?product=${b.product.id}`, answers: "any" }],
  "/reports/sales/:saleId/refund": (b) =>
    [
      "refund",
      "refund-part",
      "check",
      "record-refund",
      "record-surplus",
      "not-returned",
      "not-charged",
      "dispute",
      "dispute-won",
      "dispute-lost",
      "send-evidence",
      "grant",
    ].map((intent) => ({
      method: "POST",
      params: sale(b),
      form: { intent, charge_id: String(b.charge.id), amount: "1,00" },
    })),
  "/reports/sales/:saleId/comprovantes.pdf": (b) => [{ params: sale(b) }],
  "/reports/sales/:saleId/downloads": (b) => [{ method: "POST", params: sale(b), form: {} }],
  "/healthz": "public: says that the process lives",
  "/readyz": "public: says that the database answers",
  "/api/openapi.json": "public: the API's description",
  "/api/users/me": read,
  "/api/logout": "ends A's own session, by its cookie",
  "/api/oauth/google/redirect_url": "public: before sign-in",
  "/api/sessions": "public: sign-in",
  "/api/auth/register": "public: registration",
  "/api/payments/pushinpay": "public: buyers",
  "/api/payments/pushinpay/status/:paymentId": "public: whoever has the unguessable id",
  "/api/webhooks/:provider/:hookToken": "public: providers, by a secret address",
  "/api/webhooks/resend/:hookToken": "public: providers, by a secret address",
  "/api/email/template": read,
  "/api/email/domain": read,
  "/api/email/resend/:saleId": (b) => [{ method: "POST", params: sale(b) }],
  "/api/test/email": "mails A's own template to an address of A's",
  "/api/sales/:saleId": "public: whoever has the unguessable id, and no personal data",
  "/api/sales/:saleId/details": (b) => [{ params: sale(b) }],
  "/api/sales/:saleId/customer": (b) => [
    {
      method: "PUT",
      params: sale(b),
      json: { customer_name: "Tomada", customer_email: "tomada@exemplo.com.br" },
    },
  ],
  "/api/sales/:saleId/dispute": (b) =>
    ["open", "won", "lost"].map((status) => ({ method: "PUT", params: sale(b), json: { status } })),
  "/api/sales/:saleId/document": (b) => [{ method: "POST", params: sale(b) }],
  "/api/reports/sales": (b) => [{ answers: "any" }, { query: `?product=${b.product.id}`, answers: "any" }],
  "/api/reports/stats": read,
  "/api/reports/chart": read,
  "/api/reports/reconciliation": read,
  "/api/reports/funnel": (b) => [{ answers: "any" }, { query: `?product=${b.product.id}`, answers: "any" }],
  "/api/email/delivery-logs": read,
  "/api/products": (b) => [
    { answers: "any" },
    { query: "?search=alheia", answers: "any" },
    {
      method: "POST",
      json: { ...changed, price: 1, orderBumps: [{ id: b.bump.id, name: "X", price: 1 }] },
    },
  ],
  "/api/products/:productId": (b, a) => [
    { params: product(b) },
    { method: "PUT", params: product(b), json: { ...changed, price: 1 } },
    { method: "PUT", params: product(b), json: {} },
    { method: "DELETE", params: product(b) },
    {
      method: "PUT",
      params: product(a),
      json: { ...changed, price: 1, orderBumps: [{ id: b.bump.id, name: "X", price: 1 }] },
    },
    {
      method: "PUT",
      params: product(a),
      json: { ...changed, price: 1, upsells: [{ id: b.upsell.id, name: "X", price: 1 }] },
    },
  ],
  "/api/products/:productId/order-bumps": (b) => [{ params: product(b) }],
  "/api/products/:productId/duplicate": (b) => [{ method: "POST", params: product(b), json: {} }],
  "/api/products/:productId/content": (b, a) => [
    { params: product(b) },
    { method: "POST", params: product(b), json: apiLink },
    { method: "POST", params: product(a), json: { ...apiLink, for: `bump-${b.bump.id}` } },
    { method: "POST", params: product(a), json: { ...apiLink, for: `offer-${b.upsell.id}` } },
    { method: "PUT", params: product(b), json: { items: [b.itemId] } },
    { method: "PUT", params: product(a), json: { for: `bump-${b.bump.id}`, items: [b.itemId] } },
  ],
  "/api/products/:productId/content/:itemId": (b, a) =>
    [product(a), product(b)].flatMap((of) => [
      { params: { ...of, itemId: b.itemId } },
      { method: "PUT", params: { ...of, itemId: b.itemId }, json: { name: "X" } },
      { method: "DELETE", params: { ...of, itemId: b.itemId } },
    ]),
  "/api/products/:productId/offers": (b, a) => [
    { params: product(b) },
    { method: "POST", params: product(b), json: { name: "X", price: 1 } },
    { method: "POST", params: product(b), json: {} },
    { method: "POST", params: product(a), json: { name: "X", price: 1, bump_ids: [b.bump.id] } },
    { method: "POST", params: product(a), json: { name: "X", price: 1, upsell_ids: [b.upsell.id] } },
  ],
  "/api/products/:productId/offers/:offerId": (b, a) => [
    ...[product(a), product(b)].flatMap((of): Attempt[] => [
      { params: { ...of, offerId: b.offer.id } },
      { method: "PUT", params: { ...of, offerId: b.offer.id }, json: { name: "X", price: 1 } },
      { method: "PUT", params: { ...of, offerId: b.offer.id }, json: {} },
      { method: "DELETE", params: { ...of, offerId: b.offer.id } },
    ]),
    { method: "PUT", params: offer(a), json: { name: "X", price: 1, bump_ids: [b.bump.id] } },
    { method: "PUT", params: offer(a), json: { name: "X", price: 1, content_item_ids: [b.itemId] } },
  ],
  "/api/coupons": (b) => [
    { answers: "any" },
    { query: `?before=${Date.now() + 60_000}_${b.coupon.id}`, answers: "any" },
    { method: "POST", json: { ...apiCoupon, product_ids: [b.product.id] } },
    { method: "POST", json: { ...apiCoupon, offer_ids: [b.offer.id] } },
  ],
  "/api/coupons/:couponId": (b, a) => [
    { params: coupon(b) },
    { method: "PUT", params: coupon(b), json: apiCoupon },
    { method: "PUT", params: coupon(b), json: {} },
    { method: "DELETE", params: coupon(b) },
    { method: "PUT", params: coupon(a), json: { ...apiCoupon, product_ids: [b.product.id] } },
  ],
  "/api/pictures": own({ method: "POST", json: { place: "product", name: "a.jpg", size: 10 } }),
  "/api/pictures/:pictureId": (b) => [{ params: { pictureId: b.pictureId } }],
  "/api/uploads": (b) => [{ method: "POST", json: { product_id: b.product.id, name: "a.pdf", size: 10 } }],
  "/api/uploads/:uploadId": (b) => [
    { params: { uploadId: b.fileId } },
    { method: "PUT", params: { uploadId: b.fileId }, query: "?offset=0", json: {} },
    { method: "DELETE", params: { uploadId: b.fileId } },
  ],
  "/api/products/:productId/upsells": "public: active offers of a product for sale, without the file",
  "/api/checkout/links": (b, a) => [
    { method: "POST", json: { product_id: b.product.id } },
    {
      method: "POST",
      json: { product_id: a.product.id, order_bumps: [b.bump.id] },
      answers: 400,
    },
  ],
  "/api/checkout/products/:productId": "public: buyers",
  "/api/checkout/products/s/:slug": "public: buyers",
  "/api/checkout/customization/:productId": "public: buyers",
  "/api/checkout/customization/s/:slug": "public: buyers",
  "/api/thank-you/customization/:productId": "public: buyers; message and redirect for who names a purchase",
  "/api/checkout/customization": own({}, { method: "POST", json: { brand_name: "Loja" } }),
  "/api/thank-you/customization": own({}, { method: "POST", json: { title: "Obrigada!" } }),
  "/api/dashboard/stats": read,
  "/api/settings/gateways": own({}, { method: "POST", json: { pushinpay_enabled: false } }),
  "/api/settings/webhooks": (b) => [
    { answers: "any" },
    { method: "POST", json: { ...apiHook, scope: "some", products: [b.product.id] } },
  ],
  "/api/settings/store": own({}, { method: "PUT", json: store }),
  "/api/settings/webhooks/:webhookId": (b, a) => [
    { params: webhook(b) },
    { method: "PUT", params: webhook(b), json: apiHook },
    { method: "PUT", params: webhook(b), json: {} },
    { method: "DELETE", params: webhook(b) },
    { method: "PUT", params: webhook(a), json: { ...apiHook, scope: "some", products: [b.product.id] } },
  ],
  "/api/settings/webhooks/:webhookId/secret": (b) => [{ method: "POST", params: webhook(b), json: {} }],
  "/api/settings/webhooks/:webhookId/test": (b) => [
    { method: "POST", params: webhook(b), json: { event: "sale.paid" } },
  ],
  "/api/settings/webhooks/:webhookId/log": (b) => [{ params: webhook(b) }],
  "/api/settings/webhooks/:webhookId/log/:newsId/replay": (b, a) => [
    { method: "POST", params: { ...webhook(b), newsId: b.newsId }, json: {} },
    { method: "POST", params: { ...webhook(a), newsId: b.newsId }, json: {} },
  ],
  "/api/settings/webhooks/:webhookId/replay": (b) => [
    { method: "POST", params: webhook(b), json: { from: SPAN[0], to: SPAN[1], all: true } },
  ],
  "/api/test/webhook/pushinpay": "asks the provider about a key that A sends",
  "/api/utmfy/settings": own({}, { method: "POST", json: { api_token: "x", is_enabled: true } }),
  "/api/utmfy/events": own({}, { method: "POST", json: { purchase: false } }),
  "/api/utmfy/product-tracking": (b) => [
    { answers: "any" },
    { method: "POST", json: { [b.product.id]: false } },
  ],
  "/api/utmfy/test": "asks the tracking service about a connection that A sends",
  "/api/utmfy/debug": read,
  "/api/utmfy/retry/:saleId": (b) => [{ method: "POST", params: sale(b) }],
};
