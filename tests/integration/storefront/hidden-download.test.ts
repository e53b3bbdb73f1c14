import { expect, test } from "vitest";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { readMailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderPurchaseMail } from "#app/domain/sale/mails/render-purchase-mail.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import * as thankYouPreview from "#app/routes/seller/customization/thank-you-preview.tsx";
import { fromElsewhere, inBrowserOf, inPortal } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";
import { makeThankYouSettings } from "#tests/support/rows/make-storefront.ts";

const HALF_AN_HOUR_AGO = new Date(Date.now() - 30 * MINUTE);
const CONTENT = ["Baixar Produto", "Baixar Apostila de cifras", "Grupo de alunos"];

/**
 * A purchase with a file, a link and a bump's file, and an upsell accepted after it, of a seller who hides the button. `mail`:
 * the one with the access, sent if not given; null for none.
 */
async function bought(
  fields: Parameters<typeof makeSale>[1] = {},
  mail: Parameters<typeof writeMail>[1] | null = { status: "sent" },
) {
  const seller = await makeSeller();
  await makeThankYouSettings(seller, { show_download_button: false });
  const product = await makeProduct(seller);
  const [content] = await sql`
    insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id`;
  await sql`insert into content_items (content_id, seller_id, kind, name, url)
    values (${content!.id}, ${seller.id}, 'link', 'Grupo de alunos', 'https://exemplo.com.br/grupo')`;
  const bump = await makeBump(product);
  const sale = await makeSale(product, { status: "completed", ...fields });
  await sql`insert into sale_lines (sale_id, seller_id, kind, order_bump_id, item_id, name, price_cents, position)
    values (${sale.id}, ${seller.id}, 'bump', ${bump.id}, ${bump.id}, ${bump.name}, ${bump.priceCents}, 1)`;
  const upsell = await makeSale(product, {
    ...{ status: "completed", parentSaleId: sale.id, customerEmail: sale.customerEmail },
  });
  if (mail) await writeMail(sale, mail);
  return { seller, sale, upsell };
}

async function open(path: string, headers: Record<string, string> = fromElsewhere()): Promise<string> {
  const saleId = path.split("?")[0]!.split("/").at(-1)!;
  const answer = await call(thankYou, path, { params: { saleId }, headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

async function mailedPath(sale: { id: string }, email: string): Promise<string> {
  const { html } = renderPurchaseMail((await readMailedSale(sale.id, email))!, {
    paidAt: new Date().toISOString(),
  });
  return /href="[^"]*(\/thank-you\/[^"]*)"/.exec(html)![1]!.replaceAll("&amp;", "&");
}

const shown = (html: string) => CONTENT.filter((text) => html.includes(text));

test("with the button hidden, what was bought opens from the mail, and from there the upsell's page too", async () => {
  const { sale, upsell } = await bought();
  const html = await open(await mailedPath(sale, sale.customerEmail));
  expect(shown(html)).toEqual(CONTENT);
  const toUpsell = new RegExp(`href="(/thank-you/${upsell.id}[^"]*)"`).exec(html)![1]!;
  expect(await open(toUpsell.replaceAll("&amp;", "&"))).toContain("Baixar Produto");
  expect(await open(await mailedPath(upsell, sale.customerEmail))).toContain("Baixar Produto");
});

test.each([
  ["sent", { status: "sent" as const }],
  ["about to be sent", { status: "attempting" as const }],
])(
  "on the page itself it is not shown, in the ordering browser either, once the mail is %s",
  async (_, mail) => {
    const { sale } = await bought({}, mail);
    for (const headers of [fromElsewhere(), await inBrowserOf(sale)]) {
      const html = await open(`/thank-you/${sale.id}`, headers);
      expect(shown(html)).toEqual([]);
      expect(html).toContain("Abra o que você comprou pelo link do e-mail.");
      // Links mailed before they had a key lead here, too.
      expect(html).toContain("Não achou, ou o link trouxe você para cá?");
      expect(html).not.toContain("também chega por e-mail");
      expect(html).not.toContain("/download/");
    }
  },
);

test("the buyer portal of the e-mail leads there as well", async () => {
  const { sale } = await bought();
  expect(shown(await open(`/thank-you/${sale.id}`, await inPortal(sale.customerEmail)))).toEqual(CONTENT);
});

test.each([
  ["without an e-mail", { customerEmail: null }, null],
  ["whose mail was refused", {}, { status: "failed" as const }],
  ["whose mail came back", {}, { status: "sent" as const, bouncedAt: new Date() }],
  ["whose mail waits for its provider", {}, { status: "attempting" as const, createdAt: HALF_AN_HOUR_AGO }],
  ["without a mail", {}, null],
])("a purchase %s has no other way than its page, which shows it", async (_, fields, mail) => {
  const { sale } = await bought(fields, mail);
  expect(shown(await open(`/thank-you/${sale.id}`))).toEqual(CONTENT);
});

test("a key for the e-mail from before a correction opens nothing; the new one's does", async () => {
  const { sale } = await bought();
  const old = await mailedPath(sale, sale.customerEmail);
  await correctEmail(sale.id, `nova-${sale.customerEmail}`);
  const saleId = sale.id;
  const refused = await call(thankYou, old, { params: { saleId }, headers: fromElsewhere() });
  expect(refused.status).toBe(403);
  expect(shown(await open(await mailedPath(sale, `nova-${sale.customerEmail}`)))).toEqual(CONTENT);
});

test("the seller's preview shows the page without the content", async () => {
  const { seller } = await bought();
  const headers = await signedIn(seller);
  const html = await (await call(thankYouPreview, "/thank-you-customization/preview", { headers })).text();
  expect(html).not.toContain("Baixar Produto");
  expect(html).toContain("Abra o que você comprou pelo link do e-mail.");
});
