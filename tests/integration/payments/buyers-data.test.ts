import { expect, test } from "vitest";
import { unseal } from "#app/platform/secrets.server.ts";
import { ORDER_ROUTES, openScene, type Scene } from "#tests/integration/payments/order-routes.ts";
import { deliverToUtmify, orderOf, pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";

const app = await startApp({ web: 0, worker: 0 });
const orderRoutes = Object.entries(ORDER_ROUTES).flatMap(([name, orderRoute]) =>
  orderRoute.sells === "product" ? [{ name, ...orderRoute }] : [],
);

const NOTHING = {
  customer_name: "",
  customer_email: "",
  customer_email_confirmation: "",
  customer_phone: " ",
  customer_document: "",
};

/** A shop whose page requires nothing, and whose sales are reported. */
async function openSilentScene(): Promise<Scene> {
  const scene = await openScene();
  await makeTracking(scene.seller);
  await makeCheckoutSettings(scene.seller, {
    require_name: false,
    require_email: false,
    require_email_confirmation: true,
    require_phone: false,
    require_document: false,
  });
  return scene;
}

async function customerOf(saleId: string) {
  const [sale] =
    await sql`select customer_name, customer_email, customer_phone, customer_document_sealed as document
    from sales where id = ${saleId}`;
  return { ...sale, document: sale!.document && unseal(sale!.document) };
}

/** Pays a sale and returns the queued mails and what UTMify got. */
async function paid(saleId: string) {
  const [charge] = await sql`select id, provider_id from charges where sale_id = ${saleId}`;
  await pay(app, { chargeId: charge!.id, providerId: charge!.provider_id });
  await deliverToUtmify(saleId);
  const mails = await sql`select kind, recipient from mails where sale_id = ${saleId} and kind = 'purchase'`;
  return { mails: [...mails], delivered: (await orderOf(app, saleId))!.body.customer };
}

test.each(orderRoutes)(
  "$name: data a buyer gives is stored even if it is not required, and used",
  async ({ knock }) => {
    const scene = await openSilentScene();
    const email = scene.typed.customer_email;
    const { sale } = await knock(scene);
    expect(await customerOf(sale!)).toEqual({
      customer_name: "Bia Compradora",
      customer_email: email,
      customer_phone: "+5511987654321",
      document: "52998224725",
    });
    const { mails, delivered } = await paid(sale!);
    expect(mails).toEqual([{ kind: "purchase", recipient: email }]);
    expect(delivered).toMatchObject({
      name: "Bia Compradora",
      email,
      phone: "11987654321",
      document: "52998224725",
    });
  },
);

test.each(orderRoutes)(
  "$name: data a buyer does not give is null, and UTMify gets the fallback",
  async ({ knock }) => {
    const scene = await openSilentScene();
    const { sale } = await knock(scene, { fields: NOTHING });
    expect(await customerOf(sale!)).toEqual({
      customer_name: null,
      customer_email: null,
      customer_phone: null,
      document: null,
    });
    const { mails, delivered } = await paid(sale!);
    expect(mails).toEqual([]);
    expect(delivered).toMatchObject({
      name: "Não informado",
      email: "sem-email@nao-informado.invalid",
      phone: null,
      document: null,
    });
  },
);

test("an upsell's sale has the purchase's buyer data, null where there is none", async () => {
  const scene = await openSilentScene();
  await sql`update sales set customer_name = null, customer_email = null where id = ${scene.parent.id}`;
  const { sale } = await ORDER_ROUTES["thank-you page"]!.knock(scene);
  expect(await customerOf(sale!)).toMatchObject({ customer_name: null, customer_email: null });
});

test("the database rejects an empty text in a buyer's data", async () => {
  const { parent } = await openScene();
  for (const column of ["customer_name", "customer_email", "customer_phone"])
    await expect(sql`update sales set ${sql(column)} = '' where id = ${parent.id}`).rejects.toThrow(
      "sales_customer_check",
    );
});
