import { beforeAll, expect, test } from "vitest";
import { attackCheckout } from "#tests/journeys/buyer/attack-checkout.ts";
import { HOSTILE_SHAPES, randomSheet } from "#tests/journeys/buyer/hostile-shapes.ts";
import { HOSTILE_CSS, HOSTILE_HTML } from "#tests/journeys/buyer/hostile-snippets.ts";
import { checkSheets, FULL_ZONE, rememberPlain } from "#tests/journeys/buyer/protected-parts.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { allowTroubles, openPage } from "#tests/support/clients/browser.ts";
import { makeBump, makeGateway, makeProduct, makeSeller } from "#tests/support/make.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

const SHEETS = [...HOSTILE_CSS, ...HOSTILE_SHAPES];
const PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='4' height='1'/%3E";
const WIDTHS = [360, 1280];
/** Sheets at random, on each kind of page. */
const RANDOM = 1000;

let app: App;
let seller: { id: string };

beforeAll(async () => {
  seller = await makeSeller();
  await makeGateway(seller);
  const plain = await makeProduct(seller, { checkoutSlug: "alvo", originalPriceCents: 19700 });
  await makeBump(plain);
  const full = await makeProduct(seller, {
    checkoutSlug: "cheio",
    name: "Curso completo de violão popular brasileiro ".repeat(4).trim(),
    description: "Quarenta aulas em vídeo, no seu ritmo. ".repeat(12),
    originalPriceCents: 19700,
    promotionText: "Só esta semana",
    urgencyText: "Últimas vagas",
    bannerImageUrl: PICTURE,
    imageUrl: PICTURE,
  });
  for (const name of ["Apostila", "Bases", "Caderno"]) await makeBump(full, { name, imageUrl: PICTURE });
  app = await startApp({ worker: 0 });
});

test.each(WIDTHS)(
  `all ${SHEETS.length + HOSTILE_HTML.length} snippets, each saved and opened, at %i px`,
  async (width) => {
    const page = await openPage({ url: app.url, width });
    const failed = await attackCheckout(page, seller, "/checkout/s/alvo", [
      ...HOSTILE_HTML.flatMap((html) => [{ custom_header: html }, { custom_footer: html }]),
      ...SHEETS.map((css) => ({ custom_css: css, custom_header: '<p class="a">a</p>' })),
    ]);
    allowTroubles(/net::ERR_FAILED|status of 404/);
    expect(failed).toEqual([]);
  },
);

const PAGES = ["alvo", "cheio"].flatMap((slug, at) =>
  WIDTHS.flatMap((width) => [false, true].map((dark) => ({ slug, width, dark, first: at * RANDOM }))),
);

test.each(PAGES)(
  "no sheet and no combination of them moves a protected element: $slug, $width px, dark: $dark",
  async ({ slug, width, dark, first }) => {
    await makeCheckoutSettings(seller, {
      custom_header: FULL_ZONE,
      custom_footer: '<p class="a">a</p>',
      urgency_timer_enabled: true,
      order_bump_title: "Leve também, com desconto só nesta compra",
      order_bump_subtitle: "Só nesta página, e só enquanto esta turma estiver aberta",
    });
    const page = await openPage({ url: app.url, width, dark });
    await page.goto(`/checkout/s/${slug}`);
    await rememberPlain(page);
    const random = Array.from({ length: RANDOM }, (_, at) => randomSheet(first + at));
    expect(await checkSheets(page, [...SHEETS, ...random])).toEqual({});
  },
);
