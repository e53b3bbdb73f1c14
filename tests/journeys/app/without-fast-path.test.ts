import { beforeAll, expect, test } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { allowTroubles, fillCheckout, openPage } from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ env: { FAST_PATH: "off" } });
});

test("without the fast path a buyer pays and downloads, and the seller exports the sale", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: "sem-atalho", fileUrl: null });
  const client = { app, headers: await signedIn(seller) };
  const content = new TextEncoder().encode("uma apostila ".repeat(100_000));
  await sendFile(client, { product_id: product.id, name: "apostila.txt" }, content);

  const page = await openPage({ url: app.url, width: 360 });
  await page.goto("/checkout/s/sem-atalho");
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await fillCheckout(page, { email: "ana@gmail.com" });
  await page.getByRole("button", { name: "Comprar Agora" }).click();
  await page.waitForURL("**/checkout/pix/**");
  const code = await page.getByLabel("Código PIX copia e cola").inputValue();
  const saleId = new URL(page.url()).pathname.split("/").at(-1)!;
  const stream = page.waitForRequest((request) => request.url().endsWith("/events"));
  await page.reload();
  await stream;
  const transaction = (await app.sandbox.transactions()).find((one) => one.qr_code === code);
  await app.sandbox.pay(transaction!.id);
  await page.waitForURL("**/thank-you/**");

  const link = page.getByRole("link", { name: /Baixar|apostila/ }).first();
  const address = (await app.fetch((await link.getAttribute("href"))!)).headers.get("location")!;
  const file = await app.fetch(address);
  expect(await file.text()).toBe("uma apostila ".repeat(100_000));
  const part = await app.fetch(address, { headers: { Range: "bytes=13-25" } });
  expect([part.status, await part.text()]).toEqual([206, "uma apostila "]);

  const report = await app.fetch("/reports/export", { headers: client.headers });
  expect(await report.text()).toContain("ana@gmail.com");
  const sale = await app.fetch(`/api/sales/${saleId}`, { headers: client.headers });
  expect(await sale.json()).toMatchObject({ id: saleId, status: "completed" });
  const missing = await app.fetch("/api/nothing");
  expect([missing.status, missing.headers.get("content-type")]).toEqual([
    404,
    "application/json; charset=utf-8",
  ]);
  const stranger = { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } };
  expect((await app.fetch("/api/sessions", stranger)).status).toBe(403);
  await until(async () => {
    const [row] =
      await sql`select count(*)::int as n from mails where sale_id = ${saleId} and status = 'sent'`;
    return row!.n > 0;
  });
  allowTroubles(/status of 400/);
});
