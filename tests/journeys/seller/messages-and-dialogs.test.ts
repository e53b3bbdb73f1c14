import { beforeAll, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import { openPage } from "#tests/support/clients/browser.ts";
import { makeCoupon, makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function openCoupons() {
  const seller = await makeSeller();
  await makeCoupon(seller);
  const { Cookie } = await signedIn(seller);
  return openPage({ url: app.url, cookie: Cookie });
}

test("a confirmation that was opened before the script ran is closed by 'Cancelar' after it, and opens again", async () => {
  const page = await openCoupons();
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/coupons", { waitUntil: "commit" });
  const trigger = page.getByRole("button", { name: "Deletar MENOS10" });
  const dialog = page.getByRole("dialog", { name: "Deletar cupom?" });
  await trigger.click();
  await dialog.waitFor();
  release();
  const isHydrated = () =>
    Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber$"));
  await until(() => page.evaluate(isHydrated), { what: "the page to be hydrated" });
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await dialog.waitFor({ state: "hidden" });
  // Its own button, while it is open as a popover.
  await page
    .locator("dialog", { hasText: "Deletar cupom?" })
    .evaluate((box: HTMLElement) => box.showPopover());
  await trigger.dispatchEvent("click");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await dialog.waitFor({ state: "hidden" });
});
