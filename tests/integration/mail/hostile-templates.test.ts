import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { MailData, RenderedMailKind } from "#app/db/schema/mail-data.ts";
import { MAIL_READER } from "#app/domain/mail/queue/mail-readers.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { DEFAULT_TEMPLATE } from "#app/domain/mail/template/default-template.server.ts";
import { cleanUp } from "#app/domain/maintenance/clean-up.server.ts";
import { describeMailProblem } from "#app/domain/reports/describe-mail-problem.ts";
import { listSaleMails } from "#app/domain/reports/list-sale-mails.server.ts";
import { mailRenderers, renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, markPaid } from "#tests/support/make.ts";
import { attempt, mailRow, makeOwnSender, renderMails, saveTemplate } from "#tests/support/rows/make-mail.ts";

const app = await startApp({ web: 0, worker: 0 });
let seller: Awaited<ReturnType<typeof makeSeller>>;
let product: Awaited<ReturnType<typeof makeProduct>>;
beforeAll(async () => {
  seller = await makeSeller();
  product = await makeProduct(seller, { description: "d".repeat(5000) });
});

/** Fills in to more than any mail may be, from a template of 7 kB. */
const TOO_LONG = "<p>{product_description}</p>".repeat(250);

/** A mail program may read what follows as a tag, so nothing of a buyer is filled in there: the access neither. */
const ENDLESS = '<a href="'.repeat(450);

const HOSTILE: Record<string, string> = {
  "a NUL": "<p>a&#0;b&#x0;</p>",
  "half a surrogate pair": "<p>a&#55357;b&#xD800;</p>",
  "a code point that is none": "<p>&#999999999;&#x110000;</p>",
  "names of every object": "<p>{constructor}{{toString}}{hasOwnProperty}{__proto__}{valueOf}</p>",
  "links without an end": ENDLESS,
  "tags without an end": "<style".repeat(700),
  "what replacing reads": "<p>$& $1 $` $$</p>",
  "more than any mail may be": TOO_LONG,
};

const EVENTS: { [K in RenderedMailKind]: MailData[K] } = {
  purchase: { paidAt: new Date().toISOString() },
  upsell: { paidAt: new Date().toISOString() },
  access: { paidAt: new Date().toISOString() },
  "new-sale": { paidAt: new Date().toISOString() },
  pix: { pixCode: "00020101", expiresAt: null, notice: null },
  reminder: {
    pixCode: "00020101",
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    notice: "Aviso",
    number: 9,
  },
  refund: { isRecorded: true },
  "payment-news": {
    what: "returned",
    amountCents: 100,
    at: new Date().toISOString(),
    isMismatch: true,
    paidAt: new Date().toISOString(),
    leftCents: 900,
    isRecorded: true,
  },
  surplus: { amountCents: 9700 },
  "failed-payment": { why: "refused", detail: "meio \uD83D e nada \u0000" },
  "wrong-amount": { amountCents: 5000 },
  dispute: { what: "opened", amountCents: 9700, suspends: true },
  "dispute-access": { what: "lost", amountCents: 9700 },
  "unconfirmed-refund": { amountCents: 1, requestedAt: new Date().toISOString() },
  "shop-closed": { closedAt: new Date().toISOString() },
  "shop-reopened": { closedAt: new Date().toISOString() },
  "observed-refund": { amountCents: 1, access: "ended" },
};

const hostile = (htmlContent: string) => ({
  simple: null,
  senderName: "{constructor} \u{1F525}{product}",
  senderEmail: "",
  subject: "{__proto__} {product_name}",
  htmlContent,
});
const pay = (saleId: string) => markPaid(saleId);
const mailOf = async (saleId: string, kind: string) => {
  const [row] = await sql`select id from mails where sale_id = ${saleId} and kind = ${kind}`;
  return mailRow(row!.id);
};
const mailsTo = (sellerId: string) =>
  sql`select id from mails where seller_id = ${sellerId} and kind = 'template-failed'`;

for (const [what, htmlContent] of Object.entries(HOSTILE)) {
  test(`a template with ${what} does not delay a payment, and its buyer gets a mail`, async () => {
    await saveTemplate(seller.id, hostile(htmlContent));
    const sale = await makeSale(product, { customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br` });
    await pay(sale.id);
    const queued = await mailOf(sale.id, "purchase");
    expect(queued.payload).toBeNull();
    expect(await attempt(queued.id as string)).toBe("done");
    const sent = await mailOf(sale.id, "purchase");
    expect(sent.status).toBe("sent");
    expect(sent.template_failed_at !== null).toBe([TOO_LONG, ENDLESS].includes(htmlContent));
    const [arrived, ...more] = await app.sandbox.emails(sent.recipient);
    expect(more).toEqual([]);
    expect(Object.values(arrived!.body).filter((value) => !isStorable(String(value)))).toEqual([]);
  });
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

test.each(Object.keys(mailRenderers) as RenderedMailKind[])(
  "every hostile template makes a mail of %s",
  async (kind) => {
    const sale = await makeSale(product, { customerName: "{{constructor}} $& <b>\u{1F525}" });
    for (const htmlContent of Object.values(HOSTILE)) {
      await saveTemplate(seller.id, hostile(htmlContent));
      const { mail } = await renderMail({
        kind,
        saleId: sale.id,
        recipient: sale.customerEmail,
        data: EVENTS[kind],
      });
      expect(mail.subject.length).toBeGreaterThan(0);
      expect(mail.html).not.toContain("native code");
    }
  },
);

test.each(Object.keys(mailRenderers) as RenderedMailKind[])(
  "a mail of %s is queued and rendered",
  async (kind) => {
    const sale = await makeSale(product);
    const mail = { kind, data: EVENTS[kind] } as { kind: "purchase"; data: MailData["purchase"] };
    const closedAt = kind === "shop-closed" ? EVENTS[kind].closedAt : null;
    await sql`update sellers set closed_at = ${closedAt} where id = ${sale.sellerId}`;
    const id = await queueMail(db, {
      ...mail,
      sellerId: sale.sellerId,
      saleId: sale.id,
      idempotencyKey: `${kind}/${sale.id}`,
      recipient: MAIL_READER[kind] === "seller" ? seller.email : sale.customerEmail,
    });
    expect(await attempt(id!)).toBe("done");
    expect((await mailRow(id!)).status).toBe("sent");
  },
);

test("a template that cannot be rendered is replaced by ours, and its seller is notified once per version", async () => {
  const own = await makeSeller();
  const long = await makeProduct(own, { description: "d".repeat(5000) });
  await saveTemplate(own.id, hostile(TOO_LONG));
  const sold = [await makeSale(long), await makeSale(long)];
  for (const sale of sold) await pay(sale.id);
  await renderMails();
  const { id, payload } = await mailOf(sold[0]!.id, "purchase");
  expect(payload).toMatchObject({ subject: "Sua compra foi aprovada: Curso de Violão" });
  expect(payload.html).toContain(`/thank-you/${sold[0]!.id}`);
  expect(await mailsTo(own.id)).toHaveLength(1);
  expect(await attempt(id as string)).toBe("done");
  const [delivery] = await listSaleMails(own.id, sold[0]!.id);
  expect(describeMailProblem(delivery!)).toBe("Foi com o nosso modelo: o seu não pôde ser montado.");
  await saveTemplate(own.id, hostile(`${TOO_LONG}!`));
  const third = await makeSale(long);
  await pay(third.id);
  await renderMails();
  expect(await mailsTo(own.id)).toHaveLength(2);
});

test("each attempt sends what the first one rendered, whatever the template has become", async () => {
  const own = await makeSeller();
  const sale = await makeSale(await makeProduct(own), {
    customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br`,
  });
  await pay(sale.id);
  const { id, recipient } = await mailOf(sale.id, "purchase");
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect(await attempt(id as string)).toBe("again");
  const { payload } = await mailOf(sale.id, "purchase");
  await saveTemplate(own.id, { ...DEFAULT_TEMPLATE, subject: "Outro assunto" });
  expect(await attempt(id as string)).toBe("done");
  const { subject, html, text } = payload;
  expect(await app.sandbox.emails(recipient)).toMatchObject([{ body: { subject, html, text } }]);
});

test("a mail whose answer was lost is resent unchanged, whatever sale, product and template became", async () => {
  const own = await makeSeller();
  const made = await makeProduct(own);
  const sale = await makeSale(made, { customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br` });
  await pay(sale.id);
  const { id, recipient } = await mailOf(sale.id, "purchase");
  await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
  expect(await attempt(id as string)).toBe("again");
  const [first] = await app.sandbox.emails(recipient);
  const { payload: rendered } = await mailOf(sale.id, "purchase");
  await sql`update sales set customer_name = 'Outra Pessoa' where id = ${sale.id}`;
  await sql`update sale_lines set name = 'Outro curso' where sale_id = ${sale.id}`;
  await sql`update products set name = 'Outro curso' where id = ${made.id}`;
  await saveTemplate(own.id, { ...DEFAULT_TEMPLATE, subject: "Outro assunto" });
  expect(await attempt(id as string)).toBe("done");
  // The provider refuses another mail under the same key.
  expect(await mailOf(sale.id, "purchase")).toMatchObject({ status: "sent", attempts: 2, error: null });
  expect(await app.sandbox.emails(recipient)).toEqual([first]);
  const { subject, html, text } = rendered;
  expect(first!.body).toMatchObject({ subject, html, text });
});

test("a rendered mail refused by the seller's account is left to the platform", async () => {
  const own = await makeSeller();
  await makeOwnSender(own, { key: "re_invalid-9" });
  const sale = await makeSale(await makeProduct(own), {
    customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br`,
  });
  await pay(sale.id);
  const { id } = await mailOf(sale.id, "purchase");
  expect(await attempt(id as string)).toBe("done");
  const sent = await mailOf(sale.id, "purchase");
  expect(sent).toMatchObject({ status: "sent", via: "platform" });
  expect(await app.sandbox.emails(sent.recipient)).toMatchObject([
    { body: { reply_to: "loja@exemplo.com.br" } },
  ]);
});

test("two workers that render one mail at once store and send one version", async () => {
  const sale = await makeSale(product, { customerEmail: `bia-${crypto.randomUUID()}@exemplo.com.br` });
  await pay(sale.id);
  const { id, recipient } = await mailOf(sale.id, "purchase");
  await Promise.all([attempt(id as string), attempt(id as string)]);
  expect(await app.sandbox.emails(recipient)).toHaveLength(1);
});

test("a mail given up before it was rendered is cleaned up like the others", async () => {
  const sale = await makeSale(product);
  await pay(sale.id);
  const { id } = await mailOf(sale.id, "purchase");
  await sql`update queued_mails set scheduled_at = null, created_at = now() - interval '91 days' where id = ${id as string}`;
  await cleanUp.handle({}, { number: 1, last: false });
  const row = await mailRow(id as string);
  expect([row.data, row.body_sealed]).toEqual([null, null]);
});
