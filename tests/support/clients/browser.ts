import { mkdirSync } from "node:fs";
import axe, { type RunOptions } from "axe-core";
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from "playwright";
import { expect } from "vitest";
import { chromiumLaunch } from "#tests/support/clients/chromium.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { EVERY_WAY } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

export type PageOptions = {
  /** Default true. */
  javaScript?: boolean;
  /** CSS pixels; 360 is a small phone, 1280 (default) a desktop. */
  width?: number;
  dark?: boolean;
  /** `name=value` cookies for `url`, e.g. from `signedIn`. */
  cookie?: string;
  /** A person's browser, by this User-Agent: the default ones state that a program drives them. */
  person?: string;
  /** The app's address: relative `goto` goes there. */
  url?: string;
};

/** One for all files of a process; it ends with it. */
let browser: Promise<Browser> | undefined;
const contexts = new Set<BrowserContext>();
const withoutScripts = new WeakSet<Page>();
const darkPages = new WeakSet<Page>();
const troubles: string[] = [];
const allowed: RegExp[] = [];
/** Remix leaves the read it aborts unhandled when one navigation overtakes another's answer; nothing is lost by it. */
const OVERTAKEN = /AbortError: BodyStreamBuffer was aborted/;

/** Closes a test's pages, and fails it if one of them had an error that is not allowed. */
export async function closePages(): Promise<void> {
  const expected = [OVERTAKEN, ...allowed.splice(0)];
  const seen = troubles.splice(0).filter((trouble) => !expected.some((pattern) => pattern.test(trouble)));
  await Promise.all([...contexts].map((context) => context.close()));
  contexts.clear();
  // What a page said while it was being closed is no error of the next test.
  troubles.length = 0;
  expect(seen, "errors on pages").toEqual([]);
}

/**
 * A page in a browser of its own (no shared cookies, a client of its own), closed at the end of the test. An uncaught
 * error or a `console.error` on it fails the test, unless `allowTroubles` matches it.
 */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { javaScript = true, width = 1280, dark = false, person, cookie, url } = options;
  browser ??= chromiumLaunch().then((launch) => chromium.launch(launch));
  const context = await (await browser).newContext({
    javaScriptEnabled: javaScript,
    viewport: { width, height: width < 600 ? 740 : 900 },
    hasTouch: width < 600,
    isMobile: width < 600,
    colorScheme: dark ? "dark" : "light",
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    reducedMotion: "reduce",
    extraHTTPHeaders: { "X-Forwarded-For": newAddress() },
    ...(person ? { userAgent: person } : {}),
    ...(url ? { baseURL: url } : {}),
    // A test's own certificate is self-signed.
    ignoreHTTPSErrors: url?.startsWith("https:") ?? false,
  });
  contexts.add(context);
  if (cookie && url) {
    const [name, ...value] = cookie.split("=");
    await context.addCookies([{ name: name!, value: value.join("="), url }]);
  }
  if (person)
    await context.addInitScript(() => Object.defineProperty(navigator, "webdriver", { get: () => false }));
  context.setDefaultTimeout(180_000);
  const page = await context.newPage();
  if (!javaScript) withoutScripts.add(page);
  if (dark) darkPages.add(page);
  page.on("pageerror", (error) => troubles.push(`${page.url()}: ${error.stack ?? error}`));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

/**
 * Waits until React runs a seller's page: from then on a click or a key reaches it and not the browser's own form,
 * and what only JavaScript renders is there. A page without JavaScript is ready as it arrived; a buyer's page is
 * never hydrated.
 */
export async function waitForHydration(page: Page): Promise<void> {
  if (withoutScripts.has(page)) return;
  await until(
    () =>
      page.evaluate(async () => {
        // React marks each element it hydrates, the root element last.
        if (!Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber$")))
          return false;
        // Its effects, which render what the server could not, are done before the browser is idle.
        // A busy machine may leave it none: then they had their time all the same.
        await new Promise((idle) => requestIdleCallback(idle, { timeout: 1000 }));
        return true;
      }),
    { what: `${page.url()} to be hydrated` },
  );
}

/** Page errors that match do not fail this test, e.g. a 400 it provokes; earlier and later ones alike. */
export function allowTroubles(expected: RegExp): void {
  allowed.push(expected);
}

/**
 * Waits on the payment's page of a PIX just paid for the thank-you page: by the server's event, or, if no script
 * runs, by reloading the page as it does by itself: every 15 s, every 60 s once the code expired. A busy machine
 * books late.
 */
export async function waitForThanks(page: Page): Promise<void> {
  if (!withoutScripts.has(page)) return page.waitForURL("**/thank-you/**");
  await until(
    async () => {
      await page.reload();
      return page.url().includes("/thank-you/");
    },
    // Reloading without a pause keeps the machine from booking.
    { every: 200 },
  );
}

/**
 * Expects no serious or critical accessibility problem during a journey: in light on every second screen of a test, from its
 * first one; on all of them, and in dark, with all variants. Frames that run no script are left out: axe cannot work in them.
 */
export async function expectNoSeriousAxe(page: Page): Promise<void> {
  if (isOnlyForAllVariants(page) || (!EVERY_WAY && screensBefore() % 2 === 1)) return;
  await expectAxe(page, ["serious", "critical"], EVERY_WAY ? SCHEMES : SCHEMES.slice(0, 1));
}

/**
 * Expects no accessibility problem of any weight: in light or dark, alternating within a test, starting by the test's
 * name; in both with all variants.
 */
export async function expectNoAxe(page: Page): Promise<void> {
  if (isOnlyForAllVariants(page)) return;
  await expectAxe(page, ["minor", "moderate", "serious", "critical"], EVERY_WAY ? SCHEMES : [nextScheme()]);
}

/** Without scripts a page is the document that the one with scripts begins with. */
function isOnlyForAllVariants(page: Page): boolean {
  return withoutScripts.has(page) && !EVERY_WAY;
}

let analyzed = { test: "", screens: 0 };

/** How many screens of this test were met before this one. */
function screensBefore(): number {
  const test = expect.getState().currentTestName ?? "";
  if (analyzed.test !== test) analyzed = { test, screens: 0 };
  return analyzed.screens++;
}

function nextScheme(): Scheme {
  const { length } = expect.getState().currentTestName ?? "";
  return SCHEMES[(length + screensBefore()) % SCHEMES.length]!;
}

const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];

async function expectAxe(page: Page, weights: string[], schemes: readonly Scheme[]): Promise<void> {
  const inspected = withoutScripts.has(page) ? await scriptedTwin(page) : page;
  for (const colorScheme of schemes) {
    await inspected.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours in transition from light to dark have a contrast that nobody will read.
    await inspected.evaluate(async () => {
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
      await Promise.all(document.getAnimations().map((moving) => moving.finished.catch(() => {})));
    });
    const isFirst = colorScheme === schemes[0];
    const violations = isFirst ? await analyze(inspected) : await analyzeColours(inspected);
    const found = violations
      .filter((v) => weights.includes(v.impact ?? ""))
      .map((v) => `${v.id} (${colorScheme}): ${v.nodes.map((n) => n.html).join("\n")}`);
    expect(found, page.url()).toEqual([]);
  }
  if (inspected === page) await page.emulateMedia({ colorScheme: darkPages.has(page) ? "dark" : "light" });
  else await inspected.context().close();
}

/** Only the results that are read are requested. */
const RESULTS = { resultTypes: ["violations" as const] };
/** axe cannot work in a frame that runs no script. */
const SANDBOXED = "iframe[sandbox]";

type Violation = { id: string; impact?: string | null; nodes: { html: string }[] };

async function analyze(page: Page): Promise<Violation[]> {
  for (const frame of page.frames()) if (!(await isSandboxed(frame))) await frame.evaluate(axe.source);
  return runAxe(page, RESULTS);
}

async function isSandboxed(frame: Frame): Promise<boolean> {
  if (!frame.parentFrame()) return false;
  const element = await frame.frameElement();
  return element.evaluate((node, sandboxed) => (node as Element).matches(sandboxed), SANDBOXED);
}

/** The rules about colours: the rest is the same document. axe is there since `analyze`. */
function analyzeColours(page: Page): Promise<Violation[]> {
  return runAxe(page, { ...RESULTS, runOnly: ["color-contrast", "link-in-text-block"] });
}

function runAxe(page: Page, options: RunOptions): Promise<Violation[]> {
  return page.evaluate(
    async ([sandboxed, requested]) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        { exclude: [[sandboxed]] },
        requested,
      );
      return violations.map(({ id, impact, nodes }) => ({
        ...{ id, impact },
        nodes: nodes.map(({ html }) => ({ html })),
      }));
    },
    [SANDBOXED, options] as const,
  );
}

/**
 * axe needs timers, which a page without JavaScript does not have: the same document, its scripts removed, where they
 * run.
 */
async function scriptedTwin(page: Page): Promise<Page> {
  const body = (await page.content()).replace(/<script\b[\s\S]*?<\/script>/g, "");
  const context = await (await browser!).newContext({ viewport: page.viewportSize() });
  contexts.add(context);
  const twin = await context.newPage();
  const url = page.url();
  await twin.route(
    (address) => address.href === url,
    (route) => route.fulfill({ body, contentType: "text/html; charset=utf-8" }),
  );
  await twin.goto(url);
  return twin;
}

/** Nothing sticks out to the right. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, view] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content, `${page.url()} is wider than its window`).toBeLessThanOrEqual(view!);
}

/** What is wider than the window; empty if the page is not. */
export function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    );
    return [
      `${scrollWidth} px: ${wide.map(({ localName, className }) => `${localName}.${className}`).join(", ")}`,
    ];
  });
}

/**
 * Text twice as large, as the browser's own setting makes it: media queries in rem follow it, too.
 * @returns makes it as small as before
 */
export async function enlargeText(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  // For as long as the session is attached.
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === "32px");
  return async () => {
    await session.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
    await session.detach();
  };
}

/** With `PICTURES=1`: stores a picture of the whole page in `tests/output/<name>.png`, for people. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  mkdirSync("tests/output", { recursive: true });
  await page.screenshot({ path: `tests/output/${name}.png`, fullPage: true });
}

/** Fills the buyer's fields of a checkout with a valid person. */
export async function fillCheckout(page: Page, { email }: { email: string }): Promise<void> {
  await page.getByLabel("Nome completo").fill("Ana Lima");
  await page.getByLabel("Seu melhor e-mail").fill(email);
  await page.getByLabel("CPF").fill("529.982.247-25");
  await page.getByLabel("WhatsApp").fill("(11) 98765-4321");
}

/** Types a card into the provider's frames. The holder's name decides how the payment ends. */
export async function typeCard(page: Page, holder: string): Promise<void> {
  const frame = (id: string) => page.frameLocator(`#${id} iframe`).locator("input");
  await frame("numero-cartao").fill("4235647728025682");
  await frame("validade-cartao").fill("11/50");
  await frame("codigo-cartao").fill("123");
  await page.getByLabel("Nome impresso no cartão").fill(holder);
  await page.getByLabel("CPF do titular").fill("123.456.789-09");
}
