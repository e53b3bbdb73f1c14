import { expect, test } from "vitest";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

await startApp({ web: 0, worker: 0 });

const typed = typedBuyer();

/** A shop, and one buyer's visits to its checkout by a link with MENOS10. */
async function linked() {
  const { seller, product } = await openShop();
  const visit = async (fields?: Record<string, string>, client = newAddress()) => {
    const answer = await call(checkout, `/checkout/${product.id}?cupom=MENOS10`, {
      params: { productId: String(product.id) },
      headers: { "X-Forwarded-For": client },
      ...(fields ? { method: "POST", body: new URLSearchParams(fields) } : {}),
    });
    return { status: answer.status, html: (await answer.text()).replace(/<!-- -->/g, "") };
  };
  const sales = () => sql`select coupon_code, amount_cents from sales where seller_id = ${seller.id}`;
  return { seller, visit, sales };
}

/** What a browser sends of a page: its hidden fields and what is typed. */
function filled(html: string, fields: Record<string, string> = typed): Record<string, string> {
  const hidden = html.matchAll(/<input type="hidden" name="([^"]*)"[^>]*value="([^"]*)"/g);
  return {
    ...Object.fromEntries([...hidden].map(([, name, text]) => [name, text])),
    ...(html.includes('id="coupon"') ? { coupon: "MENOS10" } : {}),
    ...fields,
  };
}

test.each<{ which: string; coupon: Parameters<typeof makeCoupon>[1] | null; says: RegExp }>([
  { which: "mistyped", coupon: null, says: /O cupom MENOS10 não existe\./ },
  {
    which: "ended",
    coupon: { endsAt: new Date("2020-01-01T15:00:00Z") },
    says: /O cupom MENOS10 venceu em /,
  },
  { which: "switched off", coupon: { deactivatedAt: new Date() }, says: /O cupom MENOS10 não existe\./ },
  { which: "of another product", coupon: { productIds: [1] }, says: /O cupom MENOS10 não vale/ },
])(
  "a link whose coupon is $which sells at the price shown where the product has no other coupon",
  async ({ coupon, says }) => {
    const { seller, visit, sales } = await linked();
    if (coupon) await makeCoupon(seller, coupon);
    const { html } = await visit();
    expect(html).toMatch(says);
    expect(html).toContain("O pedido vai sem cupom.");
    expect((await visit(filled(html))).status).toBe(303);
    expect([...(await sales())]).toEqual([{ coupon_code: null, amount_cents: 9700 }]);
  },
);

test("where the only coupon ended while its page was open, the form that comes back can be sent", async () => {
  const { seller, visit, sales } = await linked();
  const coupon = await makeCoupon(seller);
  const { html } = await visit();
  await sql`update coupons set ends_at = now() where id = ${coupon.id}`;
  const refused = await visit(filled(html, { ...typed, seen_guarantee: "365" }));
  expect(refused.status).toBe(409);
  expect(refused.html).toMatch(/O cupom MENOS10 venceu em [^<]* O pedido vai sem cupom\. O preço mudou:/);
  expect(refused.html).toMatch(/antes, R\$\s[\d,]+\)\. A garantia mudou: /);
  expect(refused.html.match(/Nada foi cobrado\./g)).toHaveLength(1);
  expect(refused.html).not.toContain('href="#coupon"');
  expect((await visit(filled(refused.html))).status).toBe(303);
  expect([...(await sales())]).toEqual([{ coupon_code: null, amount_cents: 9700 }]);
});

test("what the seller's provider lacks is said beside the coupon that is not valid", async () => {
  const { seller, visit } = await linked();
  await sql`update gateway_accounts set enabled_at = null where seller_id = ${seller.id}`;
  const { html } = await visit();
  expect(html).toContain("O pedido vai sem cupom. ");
  expect(html).toContain("ainda não pode receber pagamentos");
});

test("orders without a coupon by a link whose code does not exist are no guesses", async () => {
  const { visit } = await linked();
  const client = newAddress();
  const form = filled((await visit(undefined, client)).html, { ...typed, customer_phone: "1" });
  for (let n = 0; n < 31; n++) expect((await visit(form, client)).status).toBe(400);
});
