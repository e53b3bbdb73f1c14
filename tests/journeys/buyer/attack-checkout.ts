import type { Page } from "playwright";
import type { CheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

/** What must look the same whatever the seller saved: these, and everything around them. */
const PROTECTED =
  ".buy, .sum, [data-total], .notice, .fields input, .bump input, .prices b, #dados, #pagamento";

/** The most a zone of HTML and the hooks above the form may push it down, in CSS pixels. */
const MOST_PUSH = 840;

/** Saves each of the settings and opens the checkout: what of it ran, hid, covered, moved or called another site. */
export async function attackCheckout(
  page: Page,
  seller: { id: string },
  path: string,
  attempts: Partial<CheckoutSettings>[],
): Promise<unknown[]> {
  const calls: string[] = [];
  const dialogs: string[] = [];
  await page.goto(path);
  const origin = new URL(page.url()).origin;
  page.on("request", (request) => {
    const own = request.url().startsWith(origin);
    if ((!own && request.resourceType() !== "image") || /logout/.test(request.url()))
      calls.push(request.url());
  });
  page.on("dialog", async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  await page.route(/evil\.example|exemplo\.com\.br/, (route) => route.abort());
  const plain = await inspectCheckout(page);
  const failed: unknown[] = plain.covered.length > 0 || plain.pwned || plain.inside ? [{ plain }] : [];
  for (const settings of attempts) {
    await makeCheckoutSettings(seller, settings);
    await page.goto(path);
    const now = await inspectCheckout(page);
    const found = {
      pwned: now.pwned,
      inside: now.inside,
      covered: now.covered,
      changed: now.looks.filter((line, i) => line !== plain.looks[i]).slice(0, 3),
      pushed: Math.max(0, now.formTop - plain.formTop - MOST_PUSH),
      wider: Math.max(0, now.wider),
      calls: calls.splice(0),
      dialogs: dialogs.splice(0),
    };
    const wrong = Object.entries(found).filter(([, value]) => (Array.isArray(value) ? value.length : value));
    if (wrong.length > 0) failed.push({ settings, ...Object.fromEntries(wrong) });
  }
  return failed;
}

/**
 * Each protected element's computed styles up to the body, whether something covers it, and how far down the form
 * begins.
 */
export function inspectCheckout(page: Page) {
  return page.evaluate((selector) => {
    const properties =
      "display visibility opacity color background-color font-family font-size line-height letter-spacing text-indent position transform filter clip-path pointer-events z-index animation-name -webkit-text-fill-color".split(
        " ",
      );
    const styles: string[] = [];
    const covered: string[] = [];
    for (const el of document.querySelectorAll<HTMLElement>(selector)) {
      for (let at: HTMLElement | null = el; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        const around = ["::before", "::after"].map((pseudo) => getComputedStyle(at!, pseudo).content);
        styles.push([at.tagName, ...properties.map((p) => style.getPropertyValue(p)), ...around].join("|"));
      }
      el.scrollIntoView({ block: "center", behavior: "instant" });
      const box = el.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (box.width < 4 || box.height < 4 || !hit || !(el.contains(hit) || hit.contains(el))) {
        // Elements for another width have no box here in any case.
        const around = el.closest(".bought, .total-bar") ?? el.parentElement!;
        if (getComputedStyle(around).display !== "none") covered.push(el.outerHTML.slice(0, 80));
      }
    }
    scrollTo(0, 0);
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      looks: styles,
      covered,
      formTop: Math.round(document.querySelector("form.checkout > .main")!.getBoundingClientRect().top),
      wider: scrollWidth - clientWidth,
      pwned: "pwned" in window,
      inside: document.querySelectorAll(
        ".zone :is(script,style,iframe,object,embed,form,input,button,svg,math,link,meta,base,[id],[style],[onclick],[onload],[onerror])",
      ).length,
    };
  }, PROTECTED);
}
