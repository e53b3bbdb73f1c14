import { asked } from "#app/enhance/asked.ts";
import { VISITS } from "#app/kit/paths.ts";

/** What this tab keeps until it is closed. */
export let tab: Record<string, unknown> = {};
try {
  tab = sessionStorage as unknown as typeof tab;
} catch {
  // Storage may be closed to us: each time the page is loaded it is new to it.
}

/** On a checkout: tells that it was seen, once somebody can see it, and that its form was begun. */
export function tellVisit(): void {
  const see = () => document.hidden || tell("seen");
  see();
  addEventListener("visibilitychange", see);
  addEventListener("input", () => tell("begun"));
}

/**
 * Tells how far a buyer came, once in a tab, however often the page is loaded, without a cookie and anybody's name; nothing where a program drives the browser.
 * @returns for how long this tab has known the page, in milliseconds; NaN where it does not
 */
export function tell(step: "seen" | "begun"): number {
  const visit = `${step}${location.pathname}` as const;
  if (!tab[visit] && !navigator.webdriver) {
    tab[visit] = Date.now();
    navigator.sendBeacon(VISITS, `${visit}?${asked(/^utm_(source|campaign)$/)}`);
  }
  return Date.now() - Number(tab[`seen${location.pathname}`]);
}
