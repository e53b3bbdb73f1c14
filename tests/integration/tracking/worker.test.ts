import { expect, test } from "vitest";
import { loadGateways } from "#app/routes/seller/settings/gateways/loader.server.ts";
import * as debugPage from "#app/routes/seller/settings/utmfy/debug.tsx";
import { buy } from "#tests/integration/payments/support.ts";
import { eventsOf, openTrackedShop, orderOf } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp();

async function untilPaidIsDelivered(saleId: string) {
  return until(
    async () => {
      const order = await orderOf(app, saleId);
      return order?.status === "paid" ? order : null;
    },
    { what: "the paid order to be reported" },
  );
}

test("from webhook to UTMify by the workers: both states in order, each once, though UTMify fails in between", async () => {
  const { product } = await openTrackedShop();
  const { saleId, providerId } = await buy(product.id);
  await until(() => orderOf(app, saleId));
  await app.sandbox.fault({ service: "utmify", mode: "http-500" });
  await app.sandbox.webhooks({ copies: 3 });
  await app.sandbox.pay(providerId);
  const order = await untilPaidIsDelivered(saleId);
  expect(order.history.map((h) => h.body.status)).toEqual(["waiting_payment", "paid"]);
  expect(order.violations).toEqual([]);
  await until(async () => (await eventsOf(saleId)).every((event) => event.status === "sent"));
  expect(await eventsOf(saleId)).toMatchObject([
    { event: "pix.generated", status: "sent", attempts: 1 },
    { event: "sale.paid", status: "sent", attempts: 2 },
  ]);
});

test("the debug and the gateways say that UTMify fails until a delivery arrives", async () => {
  const { seller, product } = await openTrackedShop();
  const headers = await signedIn(seller);
  const isFailing = async () => {
    const answer = await call(debugPage, "/settings/utmfy/debug", { headers });
    return (await answer.json()).state.isFailing;
  };
  expect(await isFailing()).toBe(false);
  await app.sandbox.fault({ service: "utmify", mode: "http-500", times: 1 });
  const { saleId } = await buy(product.id);
  await until(isFailing);
  expect((await loadGateways(seller.id)).tracking.isFailing).toBe(true);
  await until(() => orderOf(app, saleId));
  await until(async () => !(await isFailing()));
  expect((await loadGateways(seller.id)).tracking.isFailing).toBe(false);
});

longTest("a UTMify that keeps silent holds up its own order alone", async () => {
  const { product } = await openTrackedShop();
  await app.sandbox.fault({ service: "utmify", mode: "timeout" });
  const slow = await buy(product.id);
  await until(async () => (await eventsOf(slow.saleId))[0]?.attempts === 1);
  const quick = await buy(product.id, {
    customer: { name: "Caio", email: "caio@exemplo.com.br", phone: null, document: null },
  });
  await until(() => orderOf(app, quick.saleId));
  expect((await eventsOf(slow.saleId))[0]).toMatchObject({ status: "queued", attempts: 1 });
  await until(() => orderOf(app, slow.saleId));
  await until(async () => (await eventsOf(slow.saleId))[0]?.status === "sent");
  expect(await eventsOf(slow.saleId)).toMatchObject([{ status: "sent", attempts: 2 }]);
});

longTest("a worker killed while sending costs nothing", async () => {
  const { product } = await openTrackedShop();
  await app.sandbox.fault({ service: "utmify", mode: "timeout" });
  const { saleId } = await buy(product.id);
  await until(async () => (await eventsOf(saleId))[0]?.attempts === 1);
  const [worker] = app.worker;
  await worker!.kill();
  await worker!.start();
  const order = await until(() => orderOf(app, saleId), { what: "the order after the crash" });
  expect(order.violations).toEqual([]);
});
