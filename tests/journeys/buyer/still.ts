import type { Page, Route } from "playwright";
import { expect } from "vitest";
import { waitForHydration } from "#tests/support/clients/browser.ts";
import { until } from "#tests/support/until.ts";

/** Where something that can be pressed or typed into stands, in whole CSS pixels: by what it is and which of those, in document order. */
type Places = Record<string, string>;

const WIDTHS = [360, 1280];

/**
 * Opens a page of the desk and waits until React runs it. Whoever presses something at that moment must hit what they aimed
 * at: what a script adds or takes away moves nothing that can be pressed, neither on a phone nor on a desktop.
 */
export async function openStill(page: Page, address: string): Promise<void> {
  const held: Route[] = [];
  let open = false;
  await page.route("**/build/**/*.js", (route) => {
    if (open) return route.continue();
    held.push(route);
  });
  await page.goto(address, { waitUntil: "commit" });
  await until(
    () => page.evaluate(() => document.readyState !== "loading" && document.fonts.status === "loaded"),
    {
      what: `${address} to be read`,
    },
  );
  const before = await places(page);
  open = true;
  await Promise.all(held.map((route) => route.continue()));
  await waitForHydration(page);
  const after = await places(page);
  expect(held.length, `scripts of ${address}`).toBeGreaterThan(0);
  const kept = Object.fromEntries(Object.entries(before).filter(([what]) => what in after));
  expect(Object.keys(kept).length, address).toBeGreaterThan(0);
  expect(Object.fromEntries(Object.keys(kept).map((what) => [what, after[what]])), address).toEqual(kept);
}

async function places(page: Page): Promise<Places> {
  const size = page.viewportSize()!;
  const found: Places = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: size.height });
    const there = await page.evaluate(() => {
      // The same elements both times: a script that takes a page over keeps them.
      const kept = window as unknown as { aims?: Element[] };
      kept.aims ??= [...document.querySelectorAll("a, button, input, select, textarea, summary")];
      return kept.aims.flatMap((element, at) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        if (width * height === 0 || !element.checkVisibility({ visibilityProperty: true })) return [];
        const what = `${element.localName} ${at} ${element.textContent?.trim() || element.getAttribute("name")}`;
        return [[what, `${Math.round(x + scrollX)}, ${Math.round(y + scrollY)}`] as const];
      });
    });
    for (const [what, place] of there) found[`${width}: ${what}`] = place;
  }
  await page.setViewportSize(size);
  return found;
}
