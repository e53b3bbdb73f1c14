import { beforeAll, expect, test } from "vitest";
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

test("a message stays when the page's data are reloaded, and goes with the page", async () => {
  const page = await openCoupons();
  await page.goto("/coupons");
  await page
    .getByRole("button", { name: /Pausar/ })
    .first()
    .click();
  const message = page.getByText("Cupom MENOS10 pausado", { exact: true });
  await message.waitFor();
  // As a page does while it waits for something outside of it.
  await page.evaluate(async () => {
    const { __remixRouter: router } = window as unknown as {
      __remixRouter: { revalidate(): void; state: { revalidation: string }; subscribe(f: () => void): void };
    };
    await new Promise<void>((resolve) => {
      router.subscribe(() => router.state.revalidation === "idle" && resolve());
      router.revalidate();
    });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  expect(await message.isVisible()).toBe(true);
  await page.getByRole("link", { name: "Novo Cupom" }).click();
  await page.waitForURL("**/coupons/create");
  await message.waitFor({ state: "detached" });
});
