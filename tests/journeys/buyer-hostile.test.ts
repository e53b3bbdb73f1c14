import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { allowTroubles, openPage } from "#tests/support/browser.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/make-storefront.ts";
import { HOSTILE_CSS, HOSTILE_HTML } from "./hostile-snippets.ts";

let app: App;
let seller: { id: string };

beforeAll(async () => {
  seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: "alvo", originalPriceCents: 19700 });
  await makeBump(product);
  app = await startApp({ worker: 0 });
});

/** What must look the same whatever the seller saved: these, and everything they stand in. */
const PROTECTED =
  ".buy, .sum, [data-total], .notice, .fields input, .bump input, .prices b, #dados, #pagamento";

/** Each protected thing's computed looks up to the body, whether something lies on it, and how far down the form begins. */
function look(page: Page) {
  return page.evaluate((selector) => {
    const properties =
      "display visibility opacity color background-color font-size line-height letter-spacing text-indent position transform filter clip-path pointer-events z-index animation-name -webkit-text-fill-color".split(
        " ",
      );
    const looks: string[] = [];
    const covered: string[] = [];
    for (const el of document.querySelectorAll<HTMLElement>(selector)) {
      for (let at: HTMLElement | null = el; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        const around = ["::before", "::after"].map((pseudo) => getComputedStyle(at!, pseudo).content);
        looks.push([at.tagName, ...properties.map((p) => style.getPropertyValue(p)), ...around].join("|"));
      }
      el.scrollIntoView({ block: "center", behavior: "instant" });
      const box = el.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (box.width < 4 || box.height < 4 || !hit || !(el.contains(hit) || hit.contains(el))) {
        // What is there for the eye of another width only has no box here in any case.
        if (getComputedStyle(el.parentElement!).display !== "none") covered.push(el.outerHTML.slice(0, 80));
      }
    }
    scrollTo(0, 0);
    return {
      looks,
      covered,
      formTop: Math.round(document.querySelector("form.checkout")!.getBoundingClientRect().top),
      pwned: "pwned" in window,
      inside: document.querySelectorAll(
        ".zone :is(script,style,iframe,object,embed,form,input,button,svg,math,link,meta,base,[id],[style],[onclick],[onload],[onerror])",
      ).length,
    };
  }, PROTECTED);
}

test(`${HOSTILE_HTML.length + HOSTILE_CSS.length} hostile snippets run nothing, hide nothing and call nobody`, {
  timeout: 240_000,
}, async () => {
  expect(HOSTILE_HTML.length + HOSTILE_CSS.length).toBeGreaterThanOrEqual(200);
  const page = await openPage({ url: app.url });
  const calls: string[] = [];
  const dialogs: string[] = [];
  page.on("request", (request) => {
    const own = request.url().startsWith(app.url);
    if ((!own && request.resourceType() !== "image") || /logout/.test(request.url()))
      calls.push(request.url());
  });
  page.on("dialog", async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  await page.route(/evil\.example|exemplo\.com\.br/, (route) => route.abort());
  await page.goto("/checkout/s/alvo");
  const plain = await look(page);
  expect(plain).toMatchObject({ covered: [], pwned: false, inside: 0 });

  const tries = [
    ...HOSTILE_HTML.map((html, i) => (i % 2 ? { custom_header: html } : { custom_footer: html })),
    ...HOSTILE_CSS.map((css) => ({ custom_css: css, custom_header: '<p class="a">a</p>' })),
  ];
  const failed: unknown[] = [];
  for (const settings of tries) {
    await makeCheckoutSettings(seller, settings);
    await page.goto("/checkout/s/alvo");
    const now = await look(page);
    const moved = now.formTop - plain.formTop;
    const changed = now.looks.filter((line, i) => line !== plain.looks[i]);
    if (
      now.pwned ||
      now.inside ||
      changed.length ||
      now.covered.length ||
      moved > 620 ||
      calls.length ||
      dialogs.length
    ) {
      failed.push({
        settings,
        changed: changed.slice(0, 3),
        ...now,
        looks: undefined,
        moved,
        calls: calls.splice(0),
      });
    }
  }
  allowTroubles(/net::ERR_FAILED|status of 404/);
  expect(failed).toEqual([]);
});

test("the test above would see a hidden button, and what a seller may style does show", async () => {
  await makeCheckoutSettings(seller, {
    custom_header: '<p class="nota" style="text-align:center">Bem-vinda</p>',
    custom_css: ".nota{color:#ff0000} .ck-product-name{letter-spacing:2px} .buy{display:none}",
  });
  const page = await openPage({ url: app.url });
  await page.goto("/checkout/s/alvo");
  const style = (selector: string, property: string) =>
    page.locator(selector).evaluate((el, name) => getComputedStyle(el).getPropertyValue(name), property);
  expect(await style(".zone p", "color")).toBe("rgb(255, 0, 0)");
  expect(await style(".zone p", "text-align")).toBe("center");
  expect(await style(".ck-product-name", "letter-spacing")).toBe("2px");
  const before = await look(page);
  await page.locator(".buy").evaluate((el) => el.setAttribute("hidden", ""));
  expect((await look(page)).looks).not.toEqual(before.looks);
});
