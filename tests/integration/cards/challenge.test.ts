import { beforeAll, expect, test } from "vitest";
import { DECLINE_TEXTS } from "#app/domain/card/decline-texts.ts";
import { showCardPage } from "#app/domain/card/show-card-page.server.ts";
import { startPix } from "#app/domain/pix/start-pix.server.ts";
import { describeTimelineEntry } from "#app/domain/reports/describe-timeline-entry.ts";
import { readTimeline } from "#app/domain/reports/read-timeline.server.ts";
import { paths } from "#app/kit/paths.ts";
import * as card from "#app/routes/buyer/card.tsx";
import { cardShop, cardStateOf, orderCard, sendCard } from "#tests/integration/cards/support.ts";
import { checkNow } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { call } from "#tests/support/routes/call.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ worker: 0 });
const shop = await cardShop();

beforeAll(() => app.sandbox.post("/mercadopago", { threeDs: "on_risk" }));

const page = async (path: string) => (await app.fetch(path)).text();

/** An order whose card its bank challenges. */
async function challenged() {
  const saleId = await orderCard(shop.product.id);
  expect((await sendCard(app, saleId)).location).toBe(paths.card(saleId));
  const [charge] =
    await sql`select id, provider_id from charges where sale_id = ${saleId} and method = 'card'`;
  const { card: sandboxCard } = await app.sandbox.transaction(charge!.provider_id);
  const url = sandboxCard!.challengeUrl!;
  return { saleId, url, chargeId: charge!.id as string, providerId: charge!.provider_id as string };
}

/** Presses 'Já confirmei no banco', as the page's script does. */
async function check(saleId: string, fields: Record<string, string> = {}) {
  await sql`update charges set last_checked_at = null where sale_id = ${saleId}`;
  const answer = await app.fetch(paths.card(saleId), {
    method: "POST",
    body: new URLSearchParams({ intent: "check", ...fields }),
    headers: { "x-requested-with": "fetch" },
  });
  return { location: answer.headers.get("location"), html: await answer.text() };
}

async function mailsOf(saleId: string) {
  const mails =
    await sql`select kind, data ->> 'what' as what from ${mailsWithTexts()} where sale_id = ${saleId} order by kind`;
  return mails.map(({ kind, what }) => what ?? kind);
}

test("a challenged card is asked for at the bank, keeps its order from another payment, and is paid once confirmed", async () => {
  const { saleId, url, providerId } = await challenged();
  const answer = await app.fetch(paths.card(saleId));
  const html = await answer.text();
  expect(html).toContain("Confirme a compra no banco do cartão");
  expect(html).toMatch(new RegExp(`<iframe[^>]* title="[^"]+" src="${url}"`));
  expect(html).toMatch(new RegExp(`<a href="${url}" target="_blank" rel="noopener noreferrer"`));
  expect(html).toContain("Já confirmei no banco");
  for (const absent of ["em análise", "Pagar com PIX", "Pagar com cartão", 'http-equiv="refresh"'])
    expect(html, absent).not.toContain(absent);
  const policy = answer.headers.get("content-security-policy")!.split("; ");
  expect(policy).toContain(`frame-src https: ${app.sandbox.url}`);
  expect(policy).toContain("script-src 'self'");
  // Neither a PIX nor another card.
  expect((await app.fetch(paths.pix(saleId))).headers.get("location")).toBe(paths.card(saleId));
  await expect(startPix(saleId)).rejects.toThrow("ainda está sendo confirmado");
  const { create: before } = (await app.sandbox.calls()).mercadopago;
  expect((await sendCard(app, saleId)).location).toBe(paths.card(saleId));
  expect((await app.sandbox.calls()).mercadopago.create).toBe(before);
  expect(await mailsOf(saleId)).toEqual([]);
  const waiting = await check(saleId);
  expect([waiting.location, waiting.html.includes("ainda não recebeu a sua confirmação")]).toEqual([
    null,
    true,
  ]);
  await app.sandbox.answerChallenge(providerId, "confirm");
  expect((await check(saleId)).location).toBe(paths.thankYou(saleId));
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
  expect(await mailsOf(saleId)).toEqual(["new-sale", "purchase"]);
});

test("who opens the purchase and who sells it read that the bank waits for the buyer", async () => {
  const { saleId, providerId } = await challenged();
  const purchase = await page(paths.thankYou(saleId));
  expect(purchase).toContain("O banco do cartão pede a sua confirmação");
  expect(purchase).toContain("Confirmar a compra");
  await check(saleId);
  const lines = async () => (await readTimeline(shop.seller.id, saleId)).map(describeTimelineEntry);
  expect(await lines()).toEqual(
    expect.arrayContaining([
      "O banco do cartão pediu que o comprador confirme a compra",
      expect.stringContaining("o comprador ainda não confirmou a compra no banco do cartão"),
    ]),
  );
  expect((await lines()).join()).not.toContain("análise");
  await app.sandbox.expire(providerId);
  await check(saleId);
  expect((await lines()).join()).toContain("o prazo para confirmar no banco acabou");
});

test.each([
  ["refuse", "challenge-failed", []],
  ["expire", "challenge-expired", ["card-declined"]],
] as const)(
  "after %s the page says why, and another card or a PIX pays the same order",
  async (how, reason, mails) => {
    const { saleId, providerId } = await challenged();
    if (how === "expire") await app.sandbox.expire(providerId);
    else await app.sandbox.answerChallenge(providerId, how);
    expect((await check(saleId, { over: "1" })).location).toBe(paths.card(saleId));
    const html = await page(paths.card(saleId));
    expect(html).toContain(`${DECLINE_TEXTS[reason]} Nada foi cobrado.`);
    for (const offered of ["Pagar com cartão", "Pagar com PIX"]) expect(html).toContain(offered);
    expect(html).not.toContain("<iframe");
    expect(await cardStateOf(saleId)).toMatchObject({
      status: "pending",
      charges: [{ status: "declined", reason }],
    });
    // Who refused it at the bank knows; who never answered has left.
    expect(await mailsOf(saleId)).toEqual(mails);
    expect(await sql`select number from reminders where sale_id = ${saleId}`).toHaveLength(1);
    await app.sandbox.post("/mercadopago", { threeDs: "never" });
    expect((await sendCard(app, saleId)).location).toBe(paths.thankYou(saleId));
    await app.sandbox.post("/mercadopago", { threeDs: "on_risk" });
  },
);

test("where the card's bank demands a challenge, the next attempt asks for one, and the page says so", async () => {
  await app.sandbox.post("/mercadopago", { threeDs: "demanded" });
  const saleId = await orderCard(shop.product.id);
  const { status, html } = await sendCard(app, saleId);
  expect(status).toBe(402);
  expect(html).toContain(`${DECLINE_TEXTS["challenge-required"]} Nada foi cobrado.`);
  const [, button] = /Toque de novo em “(.+?)”/.exec(html) ?? [];
  expect(html).toContain(`<span>${button}</span></button>`);
  expect(html).toContain("data-challenge-required");
  expect((await sendCard(app, saleId)).location).toBe(paths.card(saleId));
  expect(await page(paths.card(saleId))).toContain("Confirme a compra no banco do cartão");
  // An order without such a decline is asked only where the provider sees a risk.
  const other = await orderCard(shop.product.id);
  await app.sandbox.post("/mercadopago", { threeDs: "never" });
  expect((await sendCard(app, other)).location).toBe(paths.thankYou(other));
  await app.sandbox.post("/mercadopago", { threeDs: "on_risk" });
});

test("the bank's page has ended and its answer is not here yet: it is not framed again, and a check follows soon", async () => {
  const { saleId, chargeId } = await challenged();
  const { html } = await check(saleId, { over: "1" });
  expect(html).toContain("ainda não temos a resposta do banco");
  expect(html).toContain('data-standing="challenged"');
  expect(html).not.toContain("<iframe");
  const [charge] =
    await sql`select next_check_at - now() < interval '20 seconds' as soon from charges where id = ${chargeId}`;
  expect(charge!.soon).toBe(true);
});

test("a buyer who closed the page is found out about by the charge's checks", async () => {
  const { saleId, chargeId, providerId } = await challenged();
  await checkNow(chargeId);
  expect(await cardStateOf(saleId)).toMatchObject({ charges: [{ status: "in_review" }] });
  await app.sandbox.answerChallenge(providerId, "confirm");
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  await checkNow(chargeId);
  expect(await cardStateOf(saleId)).toMatchObject({ status: "completed", charges: [{ status: "paid" }] });
});

test("a process that did not send the card asks the provider for the bank's page once, and says so where it gets no answer", async () => {
  const { saleId, url, chargeId } = await challenged();
  const calls = async () => (await app.sandbox.calls()).mercadopago.find;
  const open = async () => (await call(card, paths.card(saleId), { params: { saleId } })).text();
  const before = await calls();
  await app.sandbox.fault({ service: "mercadopago", route: "find", mode: "http-500" });
  const without = await open();
  expect(without).toContain("Não conseguimos abrir a página do banco agora.");
  expect(without).toContain('http-equiv="refresh"');
  expect(without).not.toContain("<iframe");
  // As often as it may be asked about any charge.
  expect((await showCardPage(saleId))!.challengeUrl).toBeNull();
  expect(await calls()).toBe(before + 1);
  await sql`update charges set last_checked_at = null where id = ${chargeId}`;
  expect(await open()).toContain(`src="${url}"`);
  expect(await open()).toContain(`src="${url}"`);
  expect(await calls()).toBe(before + 2);
});

test("a challenge that ended meanwhile is seen when its page is opened elsewhere", async () => {
  const { saleId, providerId } = await challenged();
  await app.sandbox.answerChallenge(providerId, "confirm");
  const answer = await call(card, paths.card(saleId), { params: { saleId } });
  expect(answer.headers.get("location")).toBe(paths.thankYou(saleId));
});

test("a challenge whose answer was lost is found by our reference", async () => {
  const saleId = await orderCard(shop.product.id);
  await app.sandbox.fault({ service: "mercadopago", route: "create", mode: "reset", after: true });
  await sendCard(app, saleId);
  expect(await page(paths.card(saleId))).toContain("ainda não temos a resposta do banco");
  expect((await check(saleId)).location).toBe(paths.card(saleId));
  expect(await page(paths.card(saleId))).toContain("<iframe");
});
