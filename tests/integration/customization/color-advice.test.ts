import { expect, test } from "vitest";
import { adviseColor } from "#app/domain/storefront/sanitize/contrast.ts";
import { paths } from "#app/kit/paths.ts";
import { startApp } from "#tests/support/app.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { makeCheckoutSettings, makeThankYouSettings } from "#tests/support/rows/make-storefront.ts";

const app = await startApp({ worker: 0, sandbox: false });

const SCREENS = [
  { path: paths.checkoutCustomization(), settle: makeCheckoutSettings },
  { path: paths.thankYouCustomization(), settle: makeThankYouSettings },
];

/** Readable on a dark card only. */
const PALE = "#93C5FD";
/** Readable on a white card only. */
const DEEP = "#1E40AF";

for (const { path, settle } of SCREENS) {
  async function advised(settings: Parameters<typeof settle>[1] | null): Promise<string[]> {
    const seller = await makeSeller();
    if (settings) await settle(seller, settings as never);
    const html = await (await app.fetch(path, { headers: await signedIn(seller) })).text();
    const texts = html.replaceAll("<!-- -->", "").matchAll(/página usa(?:mos)? (#[0-9A-F]{6})/g);
    return [...texts].map(([, color]) => color!);
  }
  const nearest = (color: string, textOn: string) => adviseColor(color, { textOn })!.nearest.toUpperCase();

  test(`${path} says nothing of a default main colour, which gives way to another one`, async () => {
    expect(await advised(null)).not.toContain(nearest("#3B82F6", "#ffffff"));
    expect(await advised({ primary_color: PALE })).toContain(nearest(PALE, "#ffffff"));
  });

  test(`${path} judges colours of texts on the cards that the background makes`, async () => {
    const background_color = "#0B1220";
    expect(await advised({ primary_color: PALE, background_color })).not.toContain(nearest(PALE, "#ffffff"));
    expect(await advised({ primary_color: DEEP, background_color })).toContain(nearest(DEEP, "#1b2029"));
  });
}
