import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { makeCoupon, makeOffer, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0, sandbox: false });

/** A seller with a coupon and an offer, and the pages of their reports. */
async function openReports(archivedAt: Date | null) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const coupon = await makeCoupon(seller, { archivedAt });
  const offer = await makeOffer(product, { archivedAt });
  const headers = await signedIn(seller);
  const show = async (query: string) =>
    (await (await app.fetch(`/reports?${query}`, { headers })).text()).replace(/<!-- -->/g, "");
  return { coupon, offer, show };
}

/** The text of the option that a page's select with this name has chosen. */
function chosen(html: string, name: string): string | undefined {
  const select = new RegExp(`<select[^>]*name="${name}".*?</select>`, "s").exec(html)?.[0];
  return select && /<option[^>]*selected=""[^>]*>([^<]*)/.exec(select)?.[1];
}

test.each(["tab=sales", "tab=funnel"])("%s filtered by a deleted coupon and offer says so", async (tab) => {
  const { coupon, offer, show } = await openReports(new Date());
  const html = await show(`${tab}&coupon=${coupon.id}&offer=${offer.id}&product=987654321`);
  expect(chosen(html, "coupon")).toBe("Cupom fora da lista");
  expect(chosen(html, "offer")).toBe("Oferta fora da lista");
  expect(chosen(html, "product")).toBe("Produto fora da lista");
});

test.each(["tab=sales", "tab=funnel"])(
  "%s filtered by a coupon and an offer names them alone",
  async (tab) => {
    const { coupon, offer, show } = await openReports(null);
    const html = await show(`${tab}&coupon=${coupon.id}&offer=${offer.id}`);
    expect(chosen(html, "coupon")).toBe(coupon.code);
    expect(chosen(html, "offer")).toContain(offer.name);
    expect(html).not.toContain("fora da lista");
  },
);

test.each([
  [21, "Outros (1 produto)"],
  [22, "Outros (2 produtos)"],
])("of %i products the rest is one row, with the labels of its table", async (many, name) => {
  const seller = await makeSeller();
  for (let n = 0; n < many; n++)
    await makeSale(await makeProduct(seller, { name: `Curso ${n}` }), { status: "completed" });
  const page = await app.fetch("/reports?tab=sales", { headers: await signedIn(seller) });
  const html = (await page.text()).replace(/<!-- -->/g, "");
  const row = html.slice(html.indexOf(name)).split("</tr>")[0]!;
  expect(row.startsWith(name)).toBe(true);
  const labels = [...row.matchAll(/<span class="sm:hidden">([^<]*): <\/span>([^<]*)/g)];
  expect(labels.map(([, label, value]) => [label, value])).toEqual([
    ["Com order bump", "–"],
    ["Upsell", "–"],
  ]);
});

test.each([
  [7, "e mais 1 linha"],
  [8, "e mais 2 linhas"],
])("a statement of %i lines is shown in part, and says how many more there are", async (lines, text) => {
  const body = new FormData();
  body.set("file", new File(["A1;97,00\n".repeat(lines)], "extrato.csv"));
  const headers = { ...(await signedIn(await makeSeller())), Origin: app.url };
  const page = await app.fetch("/reports/import", { method: "POST", headers, body });
  expect((await page.text()).replace(/<!-- -->/g, "")).toContain(`${text}</p>`);
});
