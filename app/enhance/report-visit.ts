import { matchingParameters } from "#app/enhance/matching-parameters.ts";
import { VISITS_PATH } from "#app/kit/paths.ts";

/** Data of this tab until it is closed. */
export let tabStorage: Record<string, unknown> = {};
try {
  tabStorage = sessionStorage as unknown as typeof tabStorage;
} catch {
  // Storage may be blocked: then each load of the page is a new visit.
}

/** On a checkout: reports that it was seen, once it is visible, and that its form was begun. */
export function reportVisit(): void {
  const reportSeen = () => document.hidden || reportStep("seen");
  reportSeen();
  addEventListener("visibilitychange", reportSeen);
  addEventListener("input", () => reportStep("begun"));
}

/**
 * Reports a step once per tab, however often the page is loaded, without a cookie or personal data; nothing if a
 * program drives the browser.
 * @returns for how long this tab has known the page, in milliseconds; NaN if it does not
 */
export function reportStep(step: "seen" | "begun"): number {
  const visitKey = `${step}${location.pathname}` as const;
  if (!tabStorage[visitKey] && !navigator.webdriver) {
    tabStorage[visitKey] = Date.now();
    navigator.sendBeacon(VISITS_PATH, `${visitKey}?${matchingParameters(/^utm_(source|campaign)$/)}`);
  }
  return Date.now() - Number(tabStorage[`seen${location.pathname}`]);
}
