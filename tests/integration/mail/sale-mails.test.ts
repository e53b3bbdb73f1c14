import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { resendAccess } from "#app/domain/access/resend-access.server.ts";
import { DEFAULT_TEMPLATE, type Template } from "#app/domain/mail/template/default-template.server.ts";
import { renderSimpleTemplate } from "#app/domain/mail/template/simple-template.server.ts";
import { showSale } from "#app/domain/reports/show-sale.server.ts";
import { getDigestPeriod } from "#app/domain/sale/mails/digest-period.ts";
import { mailDigest, mailDigests } from "#app/domain/sale/mails/mail-digests.server.ts";
import { readDigest } from "#app/domain/sale/mails/read-digest.server.ts";
import { renderDigestMail } from "#app/domain/sale/mails/render-digest-mail.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { queueRefundMail } from "#app/domain/sale/mark-sale-refunded.server.ts";
import { crontab } from "#app/jobs/crontab.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller, makeUpsell, markPaid } from "#tests/support/make.ts";
import {
  mailsWithTexts,
  makeOwnSender,
  opened,
  renderMails,
  saveTemplate,
  waitingJobs,
} from "#tests/support/rows/make-mail.ts";

await startApp({ web: 0, worker: 0 });
let seller: Awaited<ReturnType<typeof makeSeller>>;
let product: Awaited<ReturnType<typeof makeProduct>>;
beforeAll(async () => {
  seller = await makeSeller({ company: "Escola da Vera" });
  product = await makeProduct(seller, { name: "Violão & Cia" });
});

const pay = (saleId: string) => markPaid(saleId);
async function mailsOf(saleId: string) {
  await renderMails();
  return opened(
    await sql`select * from ${mailsWithTexts()} where sale_id = ${saleId} order by created_at, kind`,
  );
}

test("until there is a template the purchase mail states what, how much and where, never the file's address", async () => {
  const sale = await makeSale(product, { customerName: "Bia <script>" });
  await pay(sale.id);
  const [, purchase] = await mailsOf(sale.id);
  expect(purchase!.kind).toBe("purchase");
  const { subject, html, from, replyTo } = purchase!.payload;
  expect(subject).toBe("Sua compra foi aprovada: Violão & Cia");
  expect([from, replyTo]).toEqual(["Violão & Cia <nao-responda@checkintelli.local>", seller.email]);
  expect(html).toContain(`http://localhost:${process.env.PORT}/thank-you/${sale.id}`);
  expect(html).toContain("Bia &lt;script&gt;");
  expect(html).toContain("R$ 97,00");
  expect(html).toContain("Escola da Vera");
  expect(html).not.toMatch(/\{[a-z_]+\}|<script>|arquivos\.exemplo\.com\.br/);
});

test("a seller's template, sender and account are used", async () => {
  const own = await makeSeller();
  await makeOwnSender(own);
  await saveTemplate(own.id, {
    simple: null,
    senderName: "Loja: {product}",
    senderEmail: "loja@exemplo.com.br",
    subject: "{{customer_name}}, chegou {product_name}",
    htmlContent:
      "<p>{brand_name} {purchase_date} {current_year} {transaction_id} {product_description} Número {purchase_number}</p>",
  });
  const sale = await makeSale(await makeProduct(own), { customerName: "Bia" });
  const { providerId } = await makeCharge(sale);
  await pay(sale.id);
  const [, purchase] = await mailsOf(sale.id);
  expect(purchase).toMatchObject({ via: "seller" });
  expect(purchase!.payload).toMatchObject({
    from: "Loja Curso de Violão <loja@exemplo.com.br>",
    subject: "Bia, chegou Curso de Violão",
  });
  // As the sale's details and the API name it.
  expect((await showSale(own.id, sale.id)).sale.transactionId).toBe(providerId);
  expect(purchase!.payload.html).toContain(providerId);
  expect(purchase!.payload.html).toContain("Do zero às primeiras músicas");
  expect(purchase!.payload.html).toContain(`Número ${shortNumber(sale.id)}`);
});

const BUTTON = { ...DEFAULT_TEMPLATE.simple!, button: "Entrar" };
const OWN_TITLE = { ...DEFAULT_TEMPLATE.simple!, title: "Chegou" };
const OWN_TEXT = { ...DEFAULT_TEMPLATE.simple!, text: "Oi, {customer_name}!" };

test.each<[string, Partial<Template> | null, { subject: string; says: string }]>([
  ["no template", null, { subject: "Seu acesso: Aula", says: "Acesso liberado" }],
  [
    "a sender alone",
    { senderEmail: "oi@exemplo.com.br" },
    { subject: "Seu acesso: Aula", says: "Acesso liberado" },
  ],
  ["a subject alone", { subject: "Chegou" }, { subject: "Chegou", says: "Acesso liberado" }],
  [
    "a button alone",
    { simple: BUTTON, htmlContent: renderSimpleTemplate(BUTTON) },
    { subject: "Seu acesso: Aula", says: ">Entrar</a>" },
  ],
  [
    "a title alone",
    { simple: OWN_TITLE, htmlContent: renderSimpleTemplate(OWN_TITLE) },
    { subject: "Seu acesso: Aula", says: "O seu pedido está completo" },
  ],
  [
    "a text alone",
    { simple: OWN_TEXT, htmlContent: renderSimpleTemplate(OWN_TEXT) },
    { subject: "Seu acesso: Aula", says: "Oi, cliente!" },
  ],
])("with %s of the seller's own the mail of a free order speaks of no payment", async (_, own, expected) => {
  const giver = await makeSeller();
  if (own) await saveTemplate(giver.id, { ...DEFAULT_TEMPLATE, ...own });
  const free = await makeProduct(giver, { name: "Aula", priceCents: 0 });
  const { id: saleId, customerEmail: recipient } = await makeSale(free, {
    ...{ status: "completed" as const, paymentMethod: "free" as const, amountCents: 0, customerName: null },
  });
  const data = { paidAt: new Date().toISOString() };
  const { mail } = await renderMail({ kind: "purchase", saleId, recipient, data });
  expect(mail.subject).toBe(expected.subject);
  expect(mail.html).toContain(expected.says);
  expect(mail.html).not.toMatch(/pagamento|aprovad/i);
});

test("an accepted upsell has its own mail with the upsell's name", async () => {
  const parent = await makeSale(product, { status: "completed" });
  const offer = await makeUpsell(product, { description: "Quatro encontros" });
  const sale = await makeSale(
    { ...product, name: offer.name, priceCents: offer.priceCents },
    { parentSaleId: parent.id },
  );
  await pay(sale.id);
  const upsell = (await mailsOf(sale.id)).find((mail) => mail.kind === "upsell");
  expect(upsell!.payload.subject).toBe("Sua compra foi aprovada: Mentoria em grupo");
});

test("booking a payment reads no template; drawing its mail reads the sale once", async () => {
  const sale = await makeSale(product);
  const booking = await countStatements(() => pay(sale.id));
  expect(booking.statements.filter((statement) => statement.includes("email_templates"))).toEqual([]);
  const drawing = await countStatements(() =>
    renderMail({
      kind: "purchase",
      saleId: sale.id,
      recipient: sale.customerEmail,
      data: { paidAt: new Date().toISOString() },
    }),
  );
  expect(drawing.statements).toHaveLength(1);
});

test("access is mailed again to the address the customer has now; a second click is the same mail", async () => {
  const sale = await makeSale(product, { status: "completed" });
  await Promise.all([resendAccess(seller.id, sale.id), resendAccess(seller.id, sale.id)]);
  expect(await mailsOf(sale.id)).toHaveLength(1);
  await sql`update sales set customer_email = 'novo@exemplo.com.br' where id = ${sale.id}`;
  expect(await resendAccess(seller.id, sale.id)).toEqual({
    recipient: "novo@exemplo.com.br",
    mail: "queued",
  });
  // Within the minute it states what is true, and one that did not arrive does not prevent another.
  expect((await resendAccess(seller.id, sale.id)).mail).toBe("waiting");
  await sql`update mails set status = 'sent' where recipient = 'novo@exemplo.com.br' and sale_id = ${sale.id}`;
  expect((await resendAccess(seller.id, sale.id)).mail).toBe("sent");
  await sql`update mails set created_at = created_at - interval '2 minutes' where sale_id = ${sale.id}`;
  await resendAccess(seller.id, sale.id);
  expect(
    (await mailsOf(sale.id)).map((mail) => [mail.kind, mail.recipient === "novo@exemplo.com.br"]),
  ).toEqual([
    ["access", false],
    ["access", true],
    ["access", true],
  ]);
});

test("access is mailed again a moment after the mail of the payment, which is another kind", async () => {
  const sale = await makeSale(product);
  await pay(sale.id);
  expect((await resendAccess(seller.id, sale.id)).mail).toBe("queued");
  expect((await mailsOf(sale.id)).map(({ kind }) => kind)).toEqual(["new-sale", "purchase", "access"]);
});

test("another seller's sale, an unpaid one and one without an address are not mailed", async () => {
  const other = await makeSeller();
  const paid = await makeSale(product, { status: "completed" });
  const unpaid = await makeSale(product);
  const nameless = await makeSale(product, { status: "completed", customerEmail: null });
  await expect(resendAccess(other.id, paid.id)).rejects.toMatchObject({ kind: "not-found" });
  await expect(resendAccess(seller.id, "1")).rejects.toMatchObject({ kind: "not-found" });
  await expect(resendAccess(seller.id, unpaid.id)).rejects.toMatchObject({ kind: "conflict" });
  await expect(resendAccess(seller.id, nameless.id)).rejects.toMatchObject({ kind: "conflict" });
});

test("a disputed sale is mailed again while its access is kept; else the seller learns the reason", async () => {
  const sale = await makeSale(product, { status: "disputed" });
  expect((await resendAccess(seller.id, sale.id)).mail).toBe("queued");
  await sql`update sales set access_suspended_at = now() where id = ${sale.id}`;
  await expect(resendAccess(seller.id, sale.id)).rejects.toThrow("foi contestado");
  const unpaid = await makeSale(product);
  await expect(resendAccess(seller.id, unpaid.id)).rejects.toThrow("Só vendas concluídas");
});

test("two purchases of one buyer are both mailed again within the minute", async () => {
  const first = await makeSale(product, { status: "completed" });
  const { customerEmail } = first;
  const second = await makeSale(product, { status: "completed", customerEmail });
  for (const { id } of [first, second])
    expect(await resendAccess(seller.id, id)).toEqual({ recipient: customerEmail, mail: "queued" });
});

test("a refund is mailed once", async () => {
  const sale = await makeSale(product, { status: "refunded" });
  await db.transaction((tx) => queueRefundMail(tx, sale.id, false));
  await db.transaction((tx) => queueRefundMail(tx, sale.id, false));
  const mails = await mailsOf(sale.id);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.payload.html).toContain("R$ 97,00");
});

test("the week is the last Monday to Sunday and the month the last whole one, in São Paulo", () => {
  const monday = getDigestPeriod("weekly", new Date("2026-11-23T11:00:00Z"));
  expect([monday.from, monday.until].map((each) => each.toISOString())).toEqual([
    "2026-11-16T03:00:00.000Z",
    "2026-11-23T03:00:00.000Z",
  ]);
  expect(getDigestPeriod("weekly", new Date("2026-11-29T11:00:00Z"))).toEqual(monday);
  const month = getDigestPeriod("monthly", new Date("2026-12-01T11:00:00Z"));
  expect([month.before, month.from, month.until].map((each) => each.toISOString())).toEqual([
    "2026-10-01T03:00:00.000Z",
    "2026-11-01T03:00:00.000Z",
    "2026-12-01T03:00:00.000Z",
  ]);
  expect(month.name).toBe("novembro de 2026");
  expect(getDigestPeriod("monthly", new Date("2027-01-01T02:59:00Z")).name).toBe("novembro de 2026");
});

test("a digest lists the five best sold products, the others together, and the total of all", async () => {
  const seller = await makeSeller();
  const period = getDigestPeriod("weekly", new Date());
  const sell = async (count: number) => {
    for (let nth = 0; nth < count; nth++) {
      const item = await makeProduct(seller, { name: `Aula ${nth}`, priceCents: 1000 });
      await makeSale(item, { status: "completed", completedAt: period.from });
    }
    const { html } = renderDigestMail("weekly", period, await readDigest(seller.id, period));
    const texts = html.split("<tr>").map((row) =>
      row
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    );
    return texts.flatMap((text) => /^(?:Aula|Outros|Total).*?R\$ [\d,]+/.exec(text)?.[0] ?? []);
  };
  const five = [0, 1, 2, 3, 4].map((nth) => `Aula ${nth} (1) R$ 10,00`);
  expect(await sell(5)).toEqual([...five, "Total R$ 50,00"]);
  const best = [0, 1, 2, 3, 4].map((nth) => `Aula ${nth} (2) R$ 20,00`);
  expect(await sell(7)).toEqual([...best, "Outros produtos (2) R$ 20,00", "Total R$ 120,00"]);
});

test("a digest counts the units of a product as one product, however many an order has", async () => {
  const seller = await makeSeller();
  const period = getDigestPeriod("weekly", new Date());
  for (const quantity of [1, 2, 3]) {
    const item = await makeProduct(seller, { name: "Ingresso", priceCents: 1000 * quantity });
    const fields = { status: "completed", completedAt: period.from, quantity } as const;
    const { id } = await makeSale(item, fields);
    if (quantity > 1)
      await sql`update sale_lines set name = ${`${quantity} × Ingresso`}, quantity = ${quantity} where sale_id = ${id}`;
  }
  const digest = await readDigest(seller.id, period);
  expect(digest.products).toEqual([{ name: "Ingresso", count: 6, cents: 6000 }]);
  expect(digest).toMatchObject({ count: 3, cents: 6000, others: null });
});

for (const kind of ["weekly", "monthly"] as const) {
  test(`the ${kind} digest goes once to each seller who wants it and sold something`, async () => {
    const period = getDigestPeriod(kind, new Date());
    const sold = await makeSeller();
    const quiet = await makeSeller();
    const off = await makeSeller({ notifyWeeklyReport: false, notifyMonthlyReport: false });
    const closing = await makeSeller();
    for (const one of [sold, off, closing]) {
      const item = await makeProduct(one);
      for (const completedAt of [period.from, new Date(period.until.getTime() - 1), period.before])
        await makeSale(item, { status: "completed", completedAt });
      await makeSale(item, { status: "completed", completedAt: period.until });
      await makeSale(item, { status: "refunded", completedAt: period.from });
    }
    await Promise.all(
      [1, 2].map(() => mailDigests.handle({ kind, after: undefined as never }, { number: 1, last: false })),
    );
    const jobs = (await waitingJobs("mail-digest")).filter((job) => job.ids.kind === kind);
    const of = (one: { id: string }) => jobs.filter((job) => job.ids.sellerId === one.id).length;
    expect([of(sold), of(quiet), of(off), of(closing)]).toEqual([1, 1, 0, 1]);
    // Meanwhile this one closed the account.
    await sql`update sellers set closed_at = now() where id = ${closing.id}`;
    for (const one of [sold, sold, quiet, off, closing])
      await mailDigest.handle({ kind, sellerId: one.id }, { number: 1, last: false });
    const mails = opened(
      await sql`select * from ${mailsWithTexts()} where kind = ${`${kind}-report`} and seller_id in ${sql([sold.id, quiet.id, off.id, closing.id])}`,
    );
    expect(mails.map((mail) => mail.seller_id)).toEqual([sold.id]);
    expect(mails[0]!.payload.subject).toContain("2 vendas, R$ 194,00");
    expect(mails[0]!.payload.html).toContain("100% acima");
  });
}

test("a digest that no worker could send when it was due is made up for days, about the same week or month", () => {
  const due = { weekly: "2026-11-02T11:00:00Z", monthly: "2026-02-01T11:00:00Z" };
  for (const kind of ["weekly", "monthly"] as const) {
    const line = crontab.split("\n").find((each) => each.includes(`id=mail-${kind}`));
    const days = Number(/fill=(\d+)d/.exec(line!)?.[1] ?? 0);
    expect(days, kind).toBeGreaterThanOrEqual(6);
    const at = new Date(due[kind]);
    expect(getDigestPeriod(kind, new Date(at.getTime() + days * DAY))).toEqual(getDigestPeriod(kind, at));
  }
});
