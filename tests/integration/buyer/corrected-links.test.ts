import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { findOrderKeys } from "#app/domain/access/find-order-keys.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { readMailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderPixMail } from "#app/domain/sale/mails/render-pix-mail.server.ts";
import { createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import * as card from "#app/routes/buyer/card.tsx";
import * as download from "#app/routes/buyer/download.tsx";
import * as correct from "#app/routes/buyer/email/correct.tsx";
import * as pix from "#app/routes/buyer/pix.tsx";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as upsellPage from "#app/routes/buyer/upsell.tsx";
import { fromElsewhere } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
  markPaid,
} from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

afterEach(() => void vi.useRealTimers());

const mailbox = () => `bia-${randomUUID()}@exemplo.com.br`;

/** A purchase whose e-mail was corrected, as the link mailed to the new one opens it in another browser. */
async function corrected(fields: Parameters<typeof makeSale>[1] = {}) {
  const product = await makeProduct(await makeSeller());
  const sale = await makeSale(product, { status: "completed", customerEmail: mailbox(), ...fields });
  const email = mailbox();
  await correctEmail(sale.id, email);
  const link = `/thank-you/${sale.id}?chave=${encodeURIComponent(createPurchaseKey(sale.id, email))}`;
  const open = (path: string, body?: URLSearchParams) =>
    call(thankYou, path, {
      params: { saleId: sale.id },
      headers: fromElsewhere(),
      ...(body ? { method: "POST", body } : {}),
    });
  return { product, sale, email, link, open };
}

test.each(["decline", "skip"])(
  "an upsell before the mailed link's purchase can be answered: %s",
  async (intent) => {
    const { product, link, open } = await corrected();
    await makeGateway({ id: product.sellerId });
    const upsell = await makeUpsell(product);
    const html = await (await open(link)).text();
    expect(html).toContain("Mentoria em grupo");
    const actions = [...html.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, to]) =>
      to!.replaceAll("&amp;", "&"),
    );
    expect(actions).toHaveLength(2);
    for (const to of new Set(actions)) {
      const { pathname, search } = new URL(to, `http://localhost${link}`);
      const answer = await open(pathname + search, new URLSearchParams({ offer: String(upsell.id), intent }));
      expect([answer.status, answer.headers.get("location")]).toEqual([303, link]);
    }
    expect(await (await open(link)).text()).toContain("Obrigado pela sua compra!");
  },
);

test("the page of an unpaid order leads to itself with the key once it is paid", async () => {
  const { link, open } = await corrected({ status: "pending" });
  const html = await (await open(link)).text();
  expect(html).toContain(`data-paid="${link}"`);
});

test("who opened a mailed link and wants the e-mail corrected can go back to the purchase", async () => {
  const { sale, link, open } = await corrected();
  const found = async (page: Response, text: string) =>
    new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${text}`).exec(await page.text())?.[1] ?? "";
  const form = await found(await open(link), "E-mail errado\\? Corrigir");
  const opened = await visit(correct, form, { saleId: sale.id });
  expect(await found(opened, "Voltar à compra de")).toBe(link);
  await sql`update sales set status = 'refunded', refunded_at = now(), refunded_cents = amount_cents where id = ${sale.id}`;
  expect(await found(await visit(correct, form, { saleId: sale.id }), "\\s*Voltar à minha compra")).toBe(
    link,
  );
});

/** Opens a page of the order in another browser. */
const visit = (route: Parameters<typeof call>[0], path: string, params: Record<string, string>) =>
  call(route, path, { params, headers: fromElsewhere() });

test("the mailed PIX of a corrected order leads to the purchase in any browser, before and after it is paid", async () => {
  const { sale, email, link } = await corrected({ status: "pending" });
  await makeCharge(sale, { status: "open", pixCode: "00020126", expiresAt: new Date(Date.now() + HOUR) });
  const facts = { pixCode: "00020126", expiresAt: null, notice: null };
  const mail = renderPixMail((await readMailedSale(sale.id, email))!, facts);
  const address = /href="[^"]*(\/checkout\/pix\/[^"]*)"/.exec(mail.html)![1]!;
  const open = (route: Parameters<typeof call>[0], path = address) => visit(route, path, { saleId: sale.id });
  expect(await (await open(pix)).text()).toContain(`data-paid="${link}"`);
  await markPaid(sale.id);
  expect((await open(pix)).headers.get("location")).toBe(link);
  expect((await open(card, address.replace("/pix/", "/cartao/"))).headers.get("location")).toBe(link);
  expect((await open(thankYou, link)).status).toBe(200);
});

test("an expired link to a file of a corrected purchase leads to a new one in any browser", async () => {
  const { sale, link, open } = await corrected();
  const html = await (await open(link)).text();
  const address = /href="(\/download\/[^"]*)"/.exec(html)![1]!.replaceAll("&amp;", "&");
  const lineId = address.split("/")[3]!.split("?")[0]!;
  const take = (path: string) => visit(download, path, { saleId: sale.id, lineId });
  expect((await take(address)).status).toBe(302);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7 * HOUR });
  const expired = await take(address);
  expect(expired.status).toBe(403);
  const again = /href="(\/download\/[^"]*)"/.exec(await expired.text())![1]!.replaceAll("&amp;", "&");
  const next = (await take(again)).headers.get("location")!;
  expect(next).toContain("assinatura=");
  expect((await take(next)).status).toBe(302);
});

/** Answers an upsell, or opens its page, by the mailed link of the purchase in another browser. */
async function atUpsell(sale: { id: string; productId: number }, key: string, body?: URLSearchParams) {
  const path = `/upsell/${sale.productId}?sale=${sale.id}&chave=${encodeURIComponent(key)}`;
  return call(upsellPage, path, {
    params: { productId: String(sale.productId) },
    headers: fromElsewhere(),
    ...(body ? { method: "POST", body } : {}),
  });
}

test("the page of an upsell leads by the mailed key to the purchase, and to the payment of what is accepted", async () => {
  const { product, sale, email, link } = await corrected();
  const key = createPurchaseKey(sale.id, email);
  expect(await (await atUpsell(sale, key)).text()).toContain(`href="${link}"`);
  const upsell = await makeUpsell(product);
  await makeGateway({ id: sale.sellerId });
  const body = new URLSearchParams({ offer: String(upsell.id), intent: "accept" });
  await (await atUpsell(sale, key)).text();
  const accepted = await atUpsell(sale, key, body);
  const [row] = await sql`select id from sales where parent_sale_id = ${sale.id}`;
  const ownKey = encodeURIComponent(createPurchaseKey(row!.id, email));
  expect(accepted.headers.get("location")).toBe(`/checkout/pix/${row!.id}?chave=${ownKey}`);
});

test("the file of a cancelled purchase leads to its order, which can be paid again", async () => {
  const { sale, email } = await corrected({ status: "cancelled" });
  const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
  const key = encodeURIComponent(createPurchaseKey(sale.id, email));
  const params = { saleId: sale.id, lineId: line!.id };
  const answer = await visit(download, `/download/${sale.id}/${line!.id}?chave=${key}`, params);
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain(`href="/checkout/pix/${sale.id}?chave=${key}"`);
});

test("a mailed key leads to the sales of its own order with the same e-mail, and to no other purchase", async () => {
  const { product, sale, email: customerEmail } = await corrected();
  const upsell = await makeSale(product, { customerEmail, parentSaleId: sale.id });
  await makeSale(product, { customerEmail: mailbox(), parentSaleId: sale.id });
  await makeSale(product, { customerEmail });
  const keys = [sale, upsell].map(({ id }) => [id, createPurchaseKey(id, customerEmail)] as const);
  for (const [saleId, key] of keys) {
    const parentSaleId = saleId === sale.id ? null : sale.id;
    const opened = { saleId, sellerId: product.sellerId, parentSaleId, customerEmail };
    expect(await findOrderKeys(opened, key)).toEqual(new Map(keys));
    expect(await findOrderKeys(opened, `${key}x`)).toEqual(new Map());
  }
});
