import type { Page } from "playwright";
import { expect } from "vitest";

/** The dashboard's grid at each width, in CSS pixels. */
const GRIDS: Record<number, { left: number; form: number; list: number }> = {
  360: { left: 16, form: 328, list: 328 },
  1280: { left: 272, form: 768, list: 976 },
};

/**
 * A screen of the dashboard uses the one grid, on a phone and on a desktop: it begins at the same left edge as all
 * others, its content ends at one of two widths, and its main action is at the right of its head, beside the title if
 * it fits.
 */
export async function expectOneGrid(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  for (const [width, grid] of Object.entries(GRIDS)) {
    await page.setViewportSize({ width: Number(width), height: before.height });
    const seen = await page.evaluate(() => {
      const edges = (selector: string) =>
        [...document.querySelectorAll(`main ${selector}`)]
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return { left, right, top, bottom };
          });
      const screens = [...document.querySelectorAll<HTMLElement>("main [data-screen]")];
      return {
        kinds: screens.map((screen) => screen.dataset.screen),
        screens: edges("[data-screen]"),
        titles: edges("[data-screen-head] h1"),
        actions: edges("[data-screen-action]"),
        // The main action belongs into the head, except what an empty list, a step or a form leads to.
        loose: [...document.querySelectorAll<HTMLElement>("main a.btn-primary")]
          .filter(
            (link) =>
              link.checkVisibility() && !link.closest("[data-screen-action], [data-leads-on], dialog"),
          )
          .map((link) => link.outerHTML),
      };
    });
    const about = `${page.url()} at ${width}`;
    expect(seen.kinds, about).toEqual([expect.stringMatching(/^(form|list)$/)]);
    const kind = seen.kinds[0] as "form" | "list";
    expect(
      { left: seen.screens[0]!.left, width: seen.screens[0]!.right - seen.screens[0]!.left },
      about,
    ).toEqual({
      left: grid.left,
      width: grid[kind],
    });
    expect(
      seen.titles.map(({ left }) => left),
      about,
    ).toEqual([grid.left]);
    for (const action of seen.actions) {
      expect(action.right, about).toBe(grid.left + grid[kind]);
      if (Number(width) === 1280) expect(action.top, about).toBeLessThan(seen.titles[0]!.bottom);
    }
    expect(seen.loose, about).toEqual([]);
  }
  await page.setViewportSize(before);
}
