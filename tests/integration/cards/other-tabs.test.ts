import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { claimCardPayment } from "#app/domain/card/claim-card-payment.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { sweepCharges } from "#app/domain/settlement/sweep-charges.server.ts";
import { paths } from "#app/kit/paths.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { rememberSale } from "#app/server/session/sales-cookie.server.ts";
import { cardShop, cardStateOf, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { checkNow, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql, untilLockedOut } from "#tests/support/database.ts";
import { makeCoupon } from "#tests/support/make.ts";

const app = await startApp({ worker: 0 });
const shop = await cardShop();
const once = { number: 1, last: false };

test("of two processes that charge a card for one order at once, one does", async () => {
  const saleId = await orderCard(shop.product.id);
  const claim = () =>
    db.transaction((tx) => claimCardPayment(tx, saleId, { instalments: 1, token: crypto.randomUUID() }));
  const claims = await Promise.all([claim(), claim(), claim()]);
  expect(claims.filter((one) => one !== null)).toHaveLength(1);
});

test("a process that waited for the order while another one began to charge a card creates no PIX", async () => {
  const saleId = await orderCard(shop.product.id);
  const [claimed, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const charging = db.transaction(async (tx) => {
    await claimCardPayment(tx, saleId, { instalments: 1, token: crypto.randomUUID() });
    claimed.resolve();
    await finish.promise;
  });
  await claimed.promise;
  const pix = startPix(saleId).catch((error: Error) => error.message);
  await untilLockedOut(1);
  finish.resolve();
  await charging;
  expect(await pix).toContain("ainda está sendo confirmado");
});

test("a declined card is said so where a PIX of the order can still be paid, and both ways stay", async () => {
  const saleId = await orderCard(shop.product.id, { isCard: false });
  const pixPage = await (await app.fetch(paths.pix(saleId))).text();
  expect(pixPage).toContain(`href="${paths.card(saleId)}"`);
  expect(await (await app.fetch(paths.card(saleId))).text()).toContain(
    "O código PIX deste pedido continua valendo.",
  );
  const { status, html } = await sendCard(app, saleId, "OTHE");
  expect([status, html.includes("O banco do cartão recusou")]).toEqual([402, true]);
  expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
});

test("who orders again, by PIX, while their card is in review is led to the page that says so", async () => {
  const email = "em-analise@exemplo.com.br";
  const saleId = await orderCard(shop.product.id, { email });
  await sendCard(app, saleId, "CONT");
  const [cookie] = await rememberSale(new Request(app.url), saleId);
  const answer = await app.fetch(`/checkout/${shop.product.id}`, {
    method: "POST",
    body: new URLSearchParams({ ...typedBuyer(email), payment_method: "pix" }),
    headers: { Cookie: cookie!.split(";")[0]! },
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, paths.pix(saleId)]);
  expect((await app.fetch(paths.pix(saleId))).headers.get("location")).toBe(paths.card(saleId));
});

test("who wants a PIX after a declined card reads why there is none", async () => {
  const { id } = await makeCoupon(shop.seller, { code: "ATEONTEM" });
  const saleId = await orderCard(shop.product.id, { coupon: "ATEONTEM" });
  await sendCard(app, saleId, "OTHE");
  await sql`update coupons set ends_at = now() - interval '1 day' where id = ${id}`;
  const form = new URLSearchParams({ intent: "again" });
  const answer = await app.fetch(paths.pix(saleId), { method: "POST", body: form });
  expect(answer.status).toBe(409);
  const html = await answer.text();
  expect(html).toContain("O cupom ATEONTEM deste pedido não vale mais. Nada foi cobrado.");
  expect(html).toContain("Voltar ao formulário");
});

test("a page of an account that was replaced since charges no card, and says to load it again", async () => {
  const [{ seller, product }, other] = [await cardShop(), await cardShop()];
  const saleId = await orderCard(product.id);
  const keyIn = (html: string) => /name="public_key" value="([^"]*)"/.exec(html)![1]!;
  const shown = keyIn(await (await app.fetch(paths.card(saleId))).text());
  await sql`update gateway_accounts a set public_key_sealed = ${seal("APP_USR-outra")},
    key_id = (select o.key_id from gateway_accounts o where o.seller_id = ${other.seller.id} and o.provider = a.provider)
    where a.seller_id = ${seller.id} and a.cards_enabled_at is not null`;
  const { create: before } = (await app.sandbox.calls()).mercadopago;
  const refused = await sendCard(app, saleId, "APRO", { public_key: shown });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain(
    "Nada foi cobrado no cartão: recarregue a página e preencha o cartão de novo",
  );
  expect((await app.sandbox.calls()).mercadopago.create).toBe(before);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "pending", charges: [] });
  const anew = await sendCard(app, saleId, "APRO", { public_key: keyIn(refused.html) });
  expect(anew.location).toBe(paths.thankYou(saleId));
});

test("a code that was just paid is found before a card is charged", async () => {
  const saleId = await orderCard(shop.product.id, { isCard: false });
  const [code] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  await app.sandbox.webhooks({ drop: true });
  await app.sandbox.pay(code!.provider_id);
  const { create: before } = (await app.sandbox.calls()).mercadopago;
  expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
  await app.sandbox.webhooks({ drop: false });
  expect((await app.sandbox.calls()).mercadopago.create).toBe(before);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", method: "pix", charges: [] });
});

test("after a PIX of another amount neither a card nor another PIX is offered", async () => {
  const saleId = await orderCard(shop.product.id, { isCard: false });
  const [code] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  await app.sandbox.pay(code!.provider_id, { value: 100, wait: true });
  await sql`update charges set last_checked_at = null where id = ${code!.id}`;
  await checkNow(code!.id);
  expect(await sql`select status from charges where id = ${code!.id}`).toEqual([{ status: "mispaid" }]);
  const page = await (await app.fetch(paths.card(saleId))).text();
  expect(page).toContain("Recebemos um PIX de outro valor");
  for (const offered of ["Pagar com PIX", "Pagar com cartão"]) expect(page).not.toContain(offered);
  expect((await sendCard(app, saleId)).status).toBe(409);
});

test("a buyer's limit of a coupon holds for cards: the second order with it is refused when it is paid", async () => {
  const coupon = await makeCoupon(shop.seller, { code: "UMAVEZ", percent: 10, maxUsesPerBuyer: 1 });
  const email = "uma-vez@exemplo.com.br";
  const ordered = () => orderCard(shop.product.id, { email, coupon: coupon.code });
  const first = await ordered();
  const second = await orderCard(shop.product.id, { email, coupon: coupon.code, isAgain: true });
  expect(second).not.toBe(first);
  expect((await sendCard(app, first)).location).toBe(paths.thankYou(first));
  const refused = await sendCard(app, second);
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("O cupom UMAVEZ deste pedido não vale mais");
  expect(refused.html).toContain("Voltar ao formulário");
  const [{ uses }] = await sql<[{ uses: number }]>`select uses from coupons where id = ${coupon.id}`;
  expect(uses).toBe(1);
});

test("a lookup that says nothing ends no card: only a list without it does, and then the buyer is mailed", async () => {
  const saleId = await orderCard(shop.product.id);
  await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "reset" });
  await sendCard(app, saleId);
  const [charge] = await sql`select id from charges where sale_id = ${saleId}`;
  const later = async (fault: object | null) => {
    await sql`update charges set created_at = now() - interval '20 minutes', last_checked_at = null where id = ${charge!.id}`;
    if (fault) await app.sandbox.fault({ service: "mercadopago", route: "search", ...fault } as never);
    await checkNow(charge!.id);
    await sweepCharges.handle({}, once);
    return (await cardStateOf(saleId)).charges[0]!.status;
  };
  expect(await later({ mode: "status-404", body: {} })).toBe("unknown");
  expect(await later({ mode: "malformed" })).toBe("unknown");
  expect(await later({ mode: "status-401" })).toBe("unknown");
  expect(await later(null)).toBe("failed");
  // By its key, since the text of one that was sent is gone.
  const mails = await sql`select idempotency_key like '%/card-declined/%' as "isDecline" from mails
    where sale_id = ${saleId} and kind = 'payment-news'`;
  expect(mails.map(({ isDecline }) => isDecline)).toEqual([true]);
  expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
});
