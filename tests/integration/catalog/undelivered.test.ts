import { expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeProduct, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0, sandbox: false });

const NOTHING = "À venda sem link nem conteúdo";

async function shop() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const headers = { ...(await signedIn(seller)), Origin: app.url };
  const open = async (path: string) =>
    (await (await app.fetch(path, { headers })).text()).replaceAll("<!-- -->", "");
  return { seller, product, headers, open };
}

test("a seller is told of each order bump and upsell on sale that delivers nothing, with the way to its content", async () => {
  const { seller, product, open } = await shop();
  await makeBump(product);
  const [edit, content] = [paths.product(product.id), paths.productContent(product.id)];
  expect(await open(edit)).not.toContain(NOTHING);
  const bump = await makeBump(product, { name: "Planilha de custos", fileUrl: null });
  const upsell = await makeUpsell(product, { name: "Mentoria" });
  await makeUpsell(product, { name: "Oferta pausada", deactivatedAt: new Date() });
  for (const path of [edit, content]) {
    const page = await open(path);
    expect(page).toContain(NOTHING);
    expect(page).toMatch(new RegExp(`for=bump-${bump.id}"[^>]*>[^<]*Planilha de custos`));
    expect(page).toMatch(new RegExp(`for=offer-${upsell.id}"[^>]*>[^<]*Mentoria`));
    expect(page).not.toContain("da oferta “Oferta pausada”");
  }
  for (const [owner, id] of [
    ["order_bump_id", bump.id],
    ["upsell_id", upsell.id],
  ] as const)
    await sql`with content as (
        insert into contents (seller_id, ${sql(owner)}) values (${seller.id}, ${id}) returning id
      ) insert into content_items (seller_id, content_id, kind, name, url)
        select ${seller.id}, id, 'link', 'Agenda', 'https://agenda.exemplo.com.br' from content`;
  expect(await open(edit)).not.toContain(NOTHING);
});

/** The cookies of a product that was saved with order bumps of these names, and the list that shows its message. */
async function saveWith({ product, headers, open }: Awaited<ReturnType<typeof shop>>, names: string[]) {
  const version = /name="version" value="([^"]+)"/.exec(await open(paths.product(product.id)))![1]!;
  const rows = names.flatMap((name, at) =>
    Object.entries({ name, price: "19,90", is_active: "on" }).map(([field, value]) => [
      `orderBumps[${at}].${field}`,
      value,
    ]),
  );
  const body = new URLSearchParams({
    ...{
      name: "Bolos no pote",
      price: "49,90",
      is_active: "on",
      file_url: "https://exemplo.com.br/bolos.pdf",
      version,
    },
    ...Object.fromEntries(rows),
  });
  const saved = await app.fetch(paths.product(product.id), {
    method: "POST",
    redirect: "manual",
    headers,
    body,
  });
  expect(saved.headers.get("location")).toBe(paths.products());
  const cookies = saved.headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);
  const Cookie = [headers.Cookie, ...cookies].join("; ");
  const list = await (await app.fetch(paths.products(), { headers: { ...headers, Cookie } })).text();
  return { cookies, list };
}

test("the message of a saved product names what it sells without delivering it", async () => {
  const own = await shop();
  const { list } = await saveWith(own, ["Planilha de custos"]);
  expect(list).toContain("Falta o que entregar: &quot;Planilha de custos&quot;");
  expect(await own.open(paths.product(own.product.id))).toContain(NOTHING);
});

test("that message is short enough for a browser to keep it, however many and long the names are", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${at} ${"\u4e16".repeat(190)}`);
  const { cookies, list } = await saveWith(await shop(), names);
  expect(list).toMatch(/atualizado\. Falta o que entregar: &quot;0 \u4e16+&quot;, .*\u4e16…/);
  for (const cookie of cookies) expect(cookie.length).toBeLessThanOrEqual(4096);
});

test("the preview of a content shows the product's link", async () => {
  const { product, open } = await shop();
  const preview = await open(paths.contentPreview(product.id, "product"));
  expect(preview).toContain("bought-items");
  expect(preview).toMatch(new RegExp(`${product.name}.*Baixar`, "s"));
});
