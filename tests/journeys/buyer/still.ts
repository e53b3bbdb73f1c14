import type { Page, Route } from "playwright";
import { expect } from "vitest";
import { waitForHydration } from "#tests/support/clients/browser.ts";
import { until } from "#tests/support/until.ts";

/** The position of each interactive element, in whole CSS pixels: by its kind and number, in document order. */
type Positions = Record<string, string>;

const WIDTHS = [360, 1280];

/**
 * Opens a page of the dashboard and waits until React runs it. A click at that moment must hit its target: what a
 * script adds or removes moves nothing interactive, neither on a phone nor on a desktop.
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
  const before = await positions(page);
  open = true;
  await Promise.all(held.map((route) => route.continue()));
  await waitForHydration(page);
  const after = await positions(page);
  expect(held.length, `scripts of ${address}`).toBeGreaterThan(0);
  const remaining = Object.fromEntries(Object.entries(before).filter(([what]) => what in after));
  expect(Object.keys(remaining).length, address).toBeGreaterThan(0);
  expect(Object.fromEntries(Object.keys(remaining).map((what) => [what, after[what]])), address).toEqual(
    remaining,
  );
}

async function positions(page: Page): Promise<Positions> {
  const size = page.viewportSize()!;
  const found: Positions = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: size.height });
    const there = await page.evaluate(() => {
      // The same elements both times: a script that hydrates a page keeps them.
      const remaining = window as unknown as { aims?: Element[] };
      remaining.aims ??= [...document.querySelectorAll("a, button, input, select, textarea, summary")];
      return remaining.aims.flatMap((element, at) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        if (width * height === 0 || !element.checkVisibility({ visibilityProperty: true })) return [];
        const what = `${element.localName} ${at} ${element.textContent?.trim() || element.getAttribute("name")}`;
        return [[what, `${Math.round(x + scrollX)}, ${Math.round(y + scrollY)}`] as const];
      });
    });
    for (const [what, position] of there) found[`${width}: ${what}`] = position;
  }
  await page.setViewportSize(size);
  return found;
}
