import type { Page } from "playwright";
import { beforeEach, expect, test } from "vitest";
import { HOUR } from "#app/kit/duration.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import { allowTroubles, openPage } from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;
let product: Awaited<ReturnType<typeof makeProduct>>;

beforeEach(async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  product = await makeProduct(seller);
  app = await sharedApp();
});

/** A payment's page whose stream is refused, since others use all slots of the sale; its clock is stopped. */
async function openRefused() {
  const sale = await makeSale(product);
  await makeCharge(sale, { pixCode: "00020126580014br.gov.bcb.pix", expiresAt: new Date(Date.now() + HOUR) });
  const gone = new AbortController();
  const others = await Promise.all(
    [1, 2, 3, 4].map(() => app.fetch(`/checkout/pix/${sale.id}/events`, { signal: gone.signal })),
  );
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  allowTroubles(/429/);
  const page = await openPage({ url: app.url });
  await page.clock.install();
  const refused = streamOf(page, 429);
  await page.goto(`/checkout/pix/${sale.id}`);
  await refused;
  // The answer is seen here before the page has processed it as a refusal; only then does its next poll count as one.
  await until(() =>
    page
      .locator("payment-watch")
      .evaluate(
        (watch) => (watch as unknown as { stream?: EventSource }).stream?.readyState === EventSource.CLOSED,
      ),
  );
  return { page, saleId: sale.id, others, closeOthers: () => gone.abort() };
}

const streamOf = (page: Page, status: number) =>
  page.waitForResponse((answer) => answer.url().endsWith("/events") && answer.status() === status);

const pay = (saleId: string) =>
  sql`with paid as (update sales set status = 'completed', completed_at = now() where id = ${saleId} returning id)
    select pg_notify('sale', id::text) from paid`;

test("a page whose stream is refused polls, and learns of the payment", async () => {
  const { page, saleId, closeOthers } = await openRefused();
  // However often it polled already: nothing else would notify it.
  await page.locator("payment-watch").evaluate((watch) => Object.assign(watch, { checks: 1000 }));
  await pay(saleId);
  // The request: its answer is no longer awaited once the parallel poll reported the payment.
  const requestedAgain = page.waitForRequest((request) => request.url().endsWith("/events"));
  await page.clock.runFor(10_000);
  await requestedAgain;
  await page.getByText("Pagamento Aprovado!").waitFor();
  await page.clock.runFor(2_000);
  await page.waitForURL(`**/thank-you/${saleId}`);
  closeOthers();
});

test("a page whose stream was refused is notified again once a slot is free", async () => {
  const { page, saleId, closeOthers } = await openRefused();
  closeOthers();
  await until(async () => {
    const gone = new AbortController();
    const answer = await app.fetch(`/checkout/pix/${saleId}/events`, { signal: gone.signal });
    gone.abort();
    return answer.status === 200;
  });
  const opened = streamOf(page, 200);
  await page.clock.runFor(10_000);
  await opened;
  await pay(saleId);
  await page.getByText("Pagamento Aprovado!").waitFor();
});
