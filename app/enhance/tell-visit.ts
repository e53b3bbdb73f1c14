import { asked } from "#app/enhance/asked.ts";
import { VISITS } from "#app/kit/paths.ts";

/** What this tab has told of each page, and when: told once, however often it is loaded. No cookie, and nobody's name. */
let told: Record<string, unknown> = {};
try {
  told = sessionStorage as unknown as typeof told;
} catch {
  // Storage may be closed to us: each time the page is loaded counts.
}

/** On a checkout: tells that it was seen, once somebody can see it, and that its form was begun. */
export function tellVisit(): void {
  const see = () => document.hidden || tell("seen");
  see();
  addEventListener("visibilitychange", see);
  addEventListener("input", () => tell("begun"));
}

/**
 * Tells how far a buyer came, once; nothing where a program drives the browser.
 * @returns for how long this tab has known the page, in milliseconds; NaN where it does not
 */
export function tell(step: "seen" | "begun"): number {
  const visit = `${step}${location.pathname}` as const;
  if (!told[visit] && !navigator.webdriver) {
    told[visit] = Date.now();
    navigator.sendBeacon(VISITS, `${visit}?${asked(/^utm_(source|campaign)$/)}`);
  }
  return Date.now() - Number(told[`seen${location.pathname}`]);
}
