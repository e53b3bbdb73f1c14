import type { Page } from "playwright";

type Shift = PerformanceEntry & {
  value: number;
  sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
};

/**
 * Records what moves on the pages that `page` opens from now on, by the browser's own measure.
 * @returns reads what moved so far: each element, and its boxes before and after in CSS pixels
 */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const at = ({ x, y, width, height }: DOMRect) => [x, y, width, height].join(" ");
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        if (sources.length === 0) shifts.push(`something, by ${value}`);
        for (const { node, previousRect, currentRect } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          // It sticks to the lower edge until its own position: scrolling moves it.
          if (scrollY > 0 && element?.closest(".total-bar")) continue;
          const name = node instanceof Element ? node.outerHTML.slice(0, 120) : node?.textContent;
          shifts.push(`${name} from ${at(previousRect)} to ${at(currentRect)}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}
