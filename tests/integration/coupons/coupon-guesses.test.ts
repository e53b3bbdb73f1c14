import { expect, test } from "vitest";
import * as checkout from "#app/routes/buyer/checkout.tsx";
import { countUnknownCoupon } from "#app/server/limits/limit-coupon-guesses.server.ts";
import { openShop, typedBuyer } from "#tests/integration/payments/support.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { makeCoupon } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const typed = typedBuyer();

/** A shop with a secret coupon, and one client's visits to its checkout. */
async function visited(coupon: Parameters<typeof makeCoupon>[1] = {}) {
  const { seller, product } = await openShop();
  await makeCoupon(seller, coupon);
  const visit = async (query: string, client: string, fields?: Record<string, string>) => {
    const answer = await call(checkout, `/checkout/${product.id}${query}`, {
      params: { productId: String(product.id) },
      headers: { "X-Forwarded-For": client },
      ...(fields ? { method: "POST", body: new URLSearchParams(fields) } : {}),
    });
    return (await answer.text()).replace(/<style.*?<\/style>/gs, "").replace(/<!-- -->/g, "");
  };
  return visit;
}

const APPLIED = "Cupom MENOS10 aplicado";

test.each<{ way: string; mistake: Record<string, string> }>([
  { way: "a form with a mistake", mistake: { customer_name: "" } },
  { way: "a form with a mistyped e-mail", mistake: { customer_email: "bia@gmial.com" } },
  { way: "'Aplicar'", mistake: { intent: "coupon" } },
])(
  "codes guessed by $way are limited, and a limited client does not learn that one exists",
  async ({ mistake }) => {
    const visit = await visited();
    const form = { ...typed, ...mistake };
    const client = newAddress();
    for (let n = 0; n < 30; n++)
      expect(await visit("", client, { ...form, coupon: `CHUTE${n}` })).toContain(`CHUTE${n} não existe`);
    expect(await visit("", client, { ...form, coupon: "MENOS10" })).not.toContain(APPLIED);
    expect(await visit("", client, { ...form, coupon: "CHUTE30" })).not.toContain("não existe");
    expect(await visit("", newAddress(), { ...form, coupon: "MENOS10" })).toContain(APPLIED);
  },
);

test("codes guessed in a link beside a typed coupon that is valid are limited, too", async () => {
  const visit = await visited();
  const client = newAddress();
  const form = { ...typed, coupon: "MENOS10", intent: "coupon" };
  for (let n = 0; n < 30; n++) expect(await visit(`?cupom=CHUTE${n}`, client, form)).toContain(APPLIED);
  expect(await visit("?cupom=CHUTE30", client, form)).toContain("Muitas tentativas");
});

test("of buyers who open a link at once each learns why its coupon is not valid", async () => {
  const visit = await visited({ endsAt: new Date("2020-01-01T15:00:00Z") });
  const pages = await Promise.all([1, 2, 3].map(() => visit("?cupom=MENOS10", newAddress())));
  for (const page of pages) expect(page).toContain("O cupom MENOS10 venceu em");
});

test("a client who guessed too many links' codes takes the coupon from nobody who opens its link at the same moment", async () => {
  const visit = await visited();
  const client = newAddress();
  const request = new Request("http://localhost:3000", { headers: { "X-Forwarded-For": client } });
  for (let n = 0; n < 200; n++) await countUnknownCoupon(request, "linked");
  const [, ...others] = await Promise.all(
    [client, newAddress(), newAddress()].map((one) => visit("?cupom=MENOS10", one)),
  );
  expect(others).toHaveLength(2);
  for (const page of others) expect(page).toContain(APPLIED);
});
