import { beforeAll, expect, test } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { makeCoupon, makeOffer, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

/** The titles of the screens behind these addresses and behind the tabs on them, by address. */
async function titlesOf(addresses: string[], headers: Record<string, string>) {
  const titles = new Map<string, string>();
  const left = [...new Set(addresses)];
  for (const address of left) {
    const answer = await app.fetch(address, { headers, redirect: "manual" });
    const isScreen = answer.ok && answer.headers.get("content-type")?.startsWith("text/html");
    const html = isScreen ? await answer.text() : "";
    const title = /<title>(.*?)<\/title>/.exec(html)?.[1];
    if (title === undefined) continue;
    titles.set(address, title);
    // Tabs are links to other screens of the same route; the one that is open is this screen.
    for (const [link] of html.matchAll(/<a [^>]*tab=[^>]*>/g)) {
      const [path, query] = /href="([^"]*)"/.exec(link)![1]!.replaceAll("&amp;", "&").split("?");
      const tab = `${path}?tab=${new URLSearchParams(query).get("tab")}`;
      if (path === address && !link.includes('aria-current="page"')) left.push(tab);
    }
  }
  return titles;
}

/** The addresses that share a title. */
function shared(titles: Map<string, string>): [string, string[]][] {
  const groups = Map.groupBy(titles, ([, title]) => title);
  return [...groups]
    .map(([title, rows]): [string, string[]] => [title, rows.map(([address]) => address)])
    .filter(([, rows]) => rows.length > 1);
}

async function addressesOf(audiences: string[], values: Record<string, string>) {
  const rows = await routeTable();
  const screens = rows.filter(({ file }) => audiences.some((one) => file.startsWith(`routes/${one}/`)));
  // A preview is a frame in a screen.
  return screens.map(({ address }) => fillAddress(address, values)).filter((at) => !at.endsWith("/preview"));
}

test("no two screens of the dashboard have the same title, tabs included", async () => {
  const seller = await makeSeller();
  const [product, other] = [
    await makeProduct(seller),
    await makeProduct(seller, { name: "Curso de Flauta" }),
  ];
  const sale = await makeSale(product, { customerName: "Bia Souza" });
  const values = {
    productId: String(product.id),
    offerId: (await makeOffer(product)).id,
    couponId: (await makeCoupon(seller)).id,
    saleId: sale.id,
    provider: "mercadopago",
    webhookId: await makeWebhook(seller, { name: "CRM" }),
    pixelId: await makePixel(seller, "meta", { name: "Conta" }),
    areaId: await makeMemberArea(seller, "cademi", { name: "Escola" }),
  };
  const sales = [await makeSale(product, { customerName: "Ana Lima" })];
  const titles = await titlesOf(
    [
      ...(await addressesOf(["seller"], values)),
      ...(await addressesOf(["seller"], { ...values, productId: String(other.id), saleId: sales[0]!.id })),
    ],
    await signedIn(seller),
  );
  expect(titles.get("/settings?tab=seguranca")).toBe("Segurança · Configurações · Checkintelli");
  expect(titles.get("/reports?tab=funnel")).toBe("Funil · Relatórios · Checkintelli");
  expect(titles.get("/settings/email?tab=domain")).toBe("Domínio · E-mail · Checkintelli");
  expect(titles.get(`/reports/sales/${sale.id}`)).toBe("Bia Souza · Detalhes da venda · Checkintelli");
  expect(titles.get(`/products/${product.id}/offers`)).toMatch(/^Curso de Violão · Ofertas e lotes/);
  expect(shared(titles)).toEqual([]);
});

test("no two screens of visitors have the same title", async () => {
  const titles = await titlesOf(await addressesOf(["site", "auth"], {}), {});
  expect(titles.size).toBeGreaterThan(5);
  expect(shared(titles)).toEqual([]);
});
