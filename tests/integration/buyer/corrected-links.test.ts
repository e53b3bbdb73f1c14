import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import * as thankYou from "#app/routes/buyer/thank-you.tsx";
import { fromElsewhere } from "#tests/integration/buyer/support.ts";
import { makeProduct, makeSale, makeSeller, makeUpsell } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

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
