import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { anonymizeShop } from "#app/domain/erasure/anonymize-shop.server.ts";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { loadMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { sendTestMail } from "#app/domain/mail/sending/send-test-mail.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { findStore, storeVersion } from "#app/domain/storefront/store/find-store.server.ts";
import { saveStore } from "#app/domain/storefront/store/save-store.server.ts";
import { storeForm } from "#app/domain/storefront/store/store-form.server.ts";
import { withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { apiBodies } from "#tests/support/routes/api-bodies.ts";
import { makeStore } from "#tests/support/rows/make-storefront.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ web: 2, worker: 0 });
});

const TYPED = apiBodies["PUT /api/settings/store"] as Record<string, string>;
const IDENTITY = "Loja Ltda., CNPJ 11.222.333/0001-81. Rua A, 1, fundos, Centro, Campinas/SP, CEP 13010-000.";

async function headersOf(seller: { id: string }) {
  return { ...(await signedIn(seller)), Origin: app.url, "X-Forwarded-For": newAddress() };
}

const read = async (path: string, web = 0) => {
  return (await fetch(app.web[web]!.url + path, { headers: { "X-Forwarded-For": newAddress() } })).text();
};

test.each([
  ["529.982.247-25", "52998224725"],
  ["CNPJ: 11.222.333/0001-81", "11222333000181"],
  ["12.abc.345/01de-35", "12ABC34501DE35"],
])("the document %s is stored as %s", (typed, stored) => {
  expect(storeForm.parse({ ...TYPED, tax_id: typed }).tax_id).toBe(stored);
});

test.each([
  ["tax_id", "529.982.247-26"],
  ["tax_id", "11.222.333/0001-82"],
  ["tax_id", "12.ABC.345/01DE-36"],
  ["tax_id", ""],
  ["postal_code", "1301-000"],
  ["state", "ZZ"],
  ["legal_name", "\u0000 "],
  ["email", "loja"],
  ["phone", "123"],
  ["number", ""],
])("%s %j is refused", (field, typed) => {
  const { error } = storeForm.safeParse({ ...TYPED, [field]: typed });
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
});

test("a save replaces only the version its seller read, and is nobody else's", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const form = storeForm.parse(TYPED);
  await saveStore(seller.id, form, storeVersion(null));
  await expect(saveStore(seller.id, { ...form, number: "2" }, storeVersion(null))).rejects.toMatchObject({
    code: "stale",
  });
  const saved = await findStore(seller.id);
  await saveStore(seller.id, { ...form, number: "2" }, storeVersion(saved));
  expect(await findStore(seller.id)).toEqual({ ...saved, number: "2" });
  expect(await findStore(other.id)).toBeNull();
});

test("of two first saves at once one is saved, and the other gets a conflict", async () => {
  const seller = await makeSeller();
  const form = storeForm.parse(TYPED);
  const saves = ["1", "2"].map((number) => saveStore(seller.id, { ...form, number }, storeVersion(null)));
  const ends = await Promise.allSettled(saves);
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("the page and the API return and accept the same; a concurrent save is answered with 409 and 412", async () => {
  const seller = await makeSeller();
  const headers = await headersOf(seller);
  const api = (init: RequestInit = {}) =>
    app.fetch("/api/settings/store", { ...init, headers: { ...headers, ...init.headers } });
  const empty = (await (await api()).json()) as Record<string, string>;
  expect(empty).toMatchObject({ legal_name: null, tax_id: null, phone: null });
  const post = (fields: Record<string, string>) =>
    app.fetch("/settings/store", {
      method: "POST",
      headers,
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const wrong = await post({ ...TYPED, tax_id: "111", version: empty.version! });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("CPF ou CNPJ inválido");
  expect((await post({ ...TYPED, version: empty.version! })).headers.get("location")).toBe("/settings/store");
  expect((await post({ ...TYPED, number: "9", version: empty.version! })).status).toBe(409);
  const shown = (await (await api()).json()) as Record<string, string>;
  expect(shown).toMatchObject(TYPED);
  const put = { method: "PUT", body: JSON.stringify({ ...TYPED, complement: null }) };
  const stale = { "Content-Type": "application/json", "If-Match": `"${empty.version}"` };
  expect((await api({ ...put, headers: stale })).status).toBe(412);
  expect((await api({ ...put, headers: { ...stale, "If-Match": `"${shown.version}"` } })).status).toBe(200);
  expect(await findStore(seller.id)).toMatchObject({ complement: null, number: "1" });
});

test("the checkout shows the store in every process at the next request, and nothing if there is none", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const path = `/checkout/${product.id}`;
  for (const web of [0, 1]) expect(await read(path, web)).not.toContain("seller-id");
  await saveStore(seller.id, storeForm.parse(TYPED));
  for (const web of [0, 1])
    await until(async () => (await read(path, web)).replaceAll("<!-- -->", "").includes(IDENTITY), {
      what: `process ${web} to say who sells`,
    });
});

test("PIX screen and thank-you page show the store", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeStore(seller);
  const product = await makeProduct(seller);
  const waiting = await makeSale(product);
  const paid = await makeSale(product, { status: "completed", completedAt: new Date() });
  for (const path of [`/checkout/pix/${waiting.id}`, `/thank-you/${paid.id}`])
    expect(await read(path), path).toContain("CNPJ 11.222.333/0001-81");
});

test("mails to the buyer end with the store, those to the seller do not", async () => {
  const seller = await makeSeller();
  await makeStore(seller, { legal_name: "Vera & <Filhas>" });
  const sale = await makeSale(await makeProduct(seller), {
    status: "completed",
    completedAt: new Date(),
    customerEmail: "ana@exemplo.com.br",
  });
  const render = async (kind: "purchase" | "new-sale") =>
    (
      await renderMail({
        kind,
        saleId: sale.id,
        recipient: "ana@exemplo.com.br",
        data: { paidAt: new Date().toISOString() } as never,
      })
    ).mail;
  const { html, text } = await render("purchase");
  expect(html).toContain("Vendido por Vera &amp; &lt;Filhas&gt;, CNPJ 11.222.333/0001-81.");
  expect(text).toMatch(/\n\nVendido por Vera & <Filhas>, CNPJ 11\.222\.333\/0001-81\. Rua das Flores, 10/);
  expect((await render("new-sale")).html).not.toContain("11.222.333");
});

test("preview, test mail and Anti-Spam know that the mail ends with the store", async () => {
  const seller = await makeSeller();
  const headers = await headersOf(seller);
  const spam = async () => (await app.fetch("/settings/email?tab=anti-spam", { headers })).text();
  expect(await spam()).toContain("O e-mail não mostra CPF/CNPJ ou endereço.");
  await makeStore(seller);
  expect(await spam()).toContain("O e-mail diz quem você é e onde fica.");
  const { shown } = await loadMailSettings(seller.id);
  const preview = await app.fetch("/settings/email/preview", {
    ...{ method: "POST", headers },
    body: new URLSearchParams({ ...shown, editor: "simple" }),
  });
  expect((await preview.json()).html).toContain("CNPJ 11.222.333/0001-81");
  const to = `loja-${seller.id}@exemplo.com.br`;
  expect(await sendTestMail(seller, to)).toMatchObject({ success: true });
  const [tested] = await app.sandbox.emails(to);
  for (const part of ["html", "text"] as const)
    expect(tested!.body[part]).toContain("CNPJ 11.222.333/0001-81");
});

test("a template without an end gets the footer too, and two sales of one store one", async () => {
  const seller = await makeSeller();
  await makeStore(seller);
  const store = await findStore(seller.id);
  const { html } = withStoreFooter({ html: "<b>Obrigada" }, store, null, store);
  expect(html.match(/Vendido por/g)).toHaveLength(1);
  expect(html.startsWith("<b>Obrigada\n")).toBe(true);
  expect(withStoreFooter({ html: "<p>x</p>" }, null).html).toBe("<p>x</p>");
});

test("the store is in its seller's export, and is deleted with the anonymized account", async () => {
  const seller = await makeSeller();
  await makeStore(seller);
  let file = "";
  for await (const piece of exportSeller(seller.id)) file += piece;
  expect(JSON.parse(file).dados_da_loja).toMatchObject({ cpf_ou_cnpj: "11222333000181", cidade: "Campinas" });
  await db.transaction((tx) => anonymizeShop(tx, seller.id));
  expect(await findStore(seller.id)).toBeNull();
});
