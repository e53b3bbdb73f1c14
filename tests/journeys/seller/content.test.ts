import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { announceFile, sendFile, sendPart } from "#tests/support/files/send-file.ts";
import { makeBump, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneScript, oneWay } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

const PART = 8 * 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "content-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file on the disk, which the browser reads by itself: its bytes do not pass through this process. */
function video(bytes: number): string {
  const path = join(folder, "aula.mp4");
  writeFileSync(path, randomBytes(bytes));
  return path;
}

for (const { width, javaScript } of oneWay(true)) {
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;
  const shot = (name: string) => `${name}-${width}-${javaScript ? "js" : "plain"}`;

  test(`a seller fills a product, and the buyer downloads what was sent, ${how}`, async () => {
    const seller = await makeSeller();
    const product = await makeProduct(seller, { fileUrl: null });
    await makeBump(product);
    const cookie = (await signedIn(seller)).Cookie;
    const page = await openPage({ url: app.url, cookie, width, javaScript });
    await page.goto(`/products/${product.id}/edit`);
    await page.getByRole("link", { name: "Conteúdo", exact: true }).click();
    await page.getByText("Ainda não há conteúdo").waitFor();
    await waitForHydration(page);
    await savePicture(page, shot("content-empty"));

    const buffer = Buffer.concat([
      Buffer.from("%PDF-1.7\n"),
      randomBytes(javaScript ? PART + 5000 : 300_000),
    ]);
    const file = { name: "Ação completa.pdf", mimeType: "application/pdf", buffer };
    await page.getByLabel(javaScript ? "Enviar arquivos" : /^Arquivo/).setInputFiles(file);
    if (!javaScript) await page.getByRole("button", { name: "Enviar arquivo" }).click();
    const items = page.getByRole("list", { name: "Itens" });
    await items.getByText("Ação completa.pdf").first().waitFor();

    await page.getByText("Incluir link").first().click();
    await page.getByLabel("Nome para quem compra").first().fill("Grupo no WhatsApp");
    await page.getByLabel("Endereço").fill("https://chat.exemplo.com.br/grupo");
    await page.getByRole("button", { name: "Incluir link" }).click();
    await items.getByText("Grupo no WhatsApp").first().waitFor();
    await page.getByRole("button", { name: "Subir Grupo no WhatsApp" }).click();
    await page.getByRole("button", { name: "Descer Grupo no WhatsApp" }).waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("content-filled"));
    if (javaScript) await expectNoSeriousAxe(page);

    const sale = await makeSale(product, { status: "completed" });
    const buyer = await openPage({ url: app.url, width, javaScript });
    await buyer.goto(`/thank-you/${sale.id}`);
    await buyer.getByText("O que você comprou").waitFor();
    await expectNoSidewaysScroll(buyer);
    await savePicture(buyer, shot("bought"));
    const download = buyer.waitForEvent("download");
    await buyer.getByRole("link", { name: /Ação completa/ }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe("Ação completa.pdf");
    expect(readFileSync(await saved.path()).equals(buffer)).toBe(true);
    if (javaScript) await expectNoSeriousAxe(buyer);
  });
}

test("an upload continues by itself when the network returns, and shows its progress", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to load/);
  await page.goto(`/products/${product.id}/content`);
  await waitForHydration(page);
  let cuts = 0;
  // What follows is not intercepted: it would pass through this process.
  const disconnect = { times: 2 };
  await page.route(
    "**/api/uploads/*?offset=*",
    (route) => {
      cuts++;
      return route.abort("internetdisconnected");
    },
    disconnect,
  );
  await page.getByLabel("Enviar arquivos").setInputFiles(video(PART + 10));
  await page.getByText("sem conexão, tentando de novo").waitFor();
  await savePicture(page, "content-waiting");
  await page.getByRole("list", { name: "Itens" }).getByText("aula.mp4").first().waitFor();
  expect(cuts).toBe(2);
});

longTest(
  "while the server is away an upload keeps its figure, and goes on by itself when it is back",
  async () => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
    allowTroubles(/ERR_|Failed to load/);
    await page.goto(`/products/${product.id}/content`);
    await waitForHydration(page);
    const [web] = app.web;
    // Of the first part only what the machine reads on the way leaves the browser.
    let isFrozen = false;
    await page.route("**/api/uploads/*?offset=0", (route) => {
      if (!isFrozen) process.kill(web!.pid!, "SIGSTOP");
      isFrozen = true;
      return route.continue();
    });
    let unanswered = 0;
    page.on("requestfailed", (request) => {
      if (request.method() === "GET" && request.url().includes("/api/uploads/")) unanswered++;
    });
    await page.getByLabel("Enviar arquivos").setInputFiles(video(2 * PART));
    const figure = () => page.locator("progress").evaluate((bar: HTMLProgressElement) => bar.value);
    await until(async () => (await figure()) > 0);
    await web!.kill();
    await page.getByText("sem conexão, tentando de novo").waitFor();
    const stored = await figure();
    expect(stored).toBeGreaterThan(0);
    await until(() => unanswered >= 2);
    expect(await figure()).toBe(stored);
    await web!.start();
    await page.getByRole("list", { name: "Itens" }).getByText("aula.mp4").first().waitFor();
  },
);

longTest("an empty file is refused without a form to continue", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to load/);
  await page.goto(`/products/${product.id}/content`);
  await waitForHydration(page);
  const choose = page.getByLabel("Enviar arquivos");
  await choose.setInputFiles({ name: "nada.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(0) });
  await page.getByRole("alert").filter({ hasText: "O arquivo está vazio. Escolha outro." }).waitFor();
  expect(await page.getByRole("button", { name: "Continuar nada.pdf" }).count()).toBe(0);
  await page.getByRole("button", { name: "Desistir de nada.pdf" }).click();
});

test("a file replaces the item it is chosen for, whatever upload of the same file was begun for another", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const client = { app, headers: await signedIn(seller) };
  const pdf = Buffer.from("%PDF-1.7");
  for (const name of ["modulo-1.pdf", "modulo-2.pdf"])
    await sendFile(client, { product_id: product.id, name }, new Uint8Array(pdf));
  const items = await sql<{ id: string }[]>`
    select id from content_items where seller_id = ${seller.id} order by position`;
  const [first, second] = items.map(({ id }) => id);
  const replacement = { name: "novo.pdf", mimeType: "application/pdf", buffer: pdf };
  const { name } = replacement;
  await announceFile(client, { product_id: product.id, name, size: pdf.length, replaces: first! });
  const fileNames = async () =>
    (
      await sql<{ name: string }[]>`select f.name from content_items i join files f on f.id = i.file_id
        where i.seller_id = ${seller.id} order by i.position`
    ).map(({ name }) => name);
  const page = await openPage({ url: app.url, cookie: client.headers.Cookie });
  const choose = async (label: string, edit = "") => {
    await page.goto(`/products/${product.id}/content?edit=${edit}`);
    await waitForHydration(page);
    await page.getByLabel(label).setInputFiles(replacement);
  };
  await choose("Substituir o arquivo", second);
  await until(async () => (await fileNames()).includes("novo.pdf"));
  expect(await fileNames()).toEqual(["modulo-1.pdf", "novo.pdf"]);
  await choose("Enviar arquivos");
  await until(async () => (await fileNames()).length === 3);
  expect(await fileNames()).toEqual(["modulo-1.pdf", "novo.pdf", "novo.pdf"]);
  await page.getByText("escolha o mesmo arquivo em “Substituir o arquivo” de modulo-1.pdf").waitFor();
  await choose("Substituir o arquivo", first);
  await until(async () => (await fileNames())[0] === "novo.pdf");
  expect(await sql`select id from files where seller_id = ${seller.id} and ready_at is null`).toEqual([]);
});

/** An upload whose first part arrived before its page was left, and that page, opened again. */
async function leftUpload() {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const headers = await signedIn(seller);
  const page = await openPage({ url: app.url, cookie: headers.Cookie });
  allowTroubles(/ERR_|Failed to load/);
  await page.goto(`/products/${product.id}/content`);
  await waitForHydration(page);
  await page.route("**/api/uploads/*?offset=8388608", () => {});
  const file = video(PART + 10);
  await page.getByLabel("Enviar arquivos").setInputFiles(file);
  const files = () =>
    sql`select id, received, ready_at is not null as ready from files where seller_id = ${seller.id}`;
  await until(async () => Number((await files())[0]?.received) === PART);
  await page.getByRole("button", { name: "Pausar aula.mp4" }).click();
  await page.getByText("em pausa").waitFor();
  await page.goto(`/products/${product.id}/content`);
  await page.getByText("escolha o mesmo arquivo de novo").waitFor();
  await waitForHydration(page);
  await page.unroute("**/api/uploads/*?offset=8388608");
  const [begun] = await files();
  return { page, file, files, id: begun!.id as string, client: { app, headers } };
}

longTest("an upload that was left is gone on with when its file is chosen again", async () => {
  const { page, file, files, id } = await leftUpload();
  await page.getByLabel("Enviar arquivos").setInputFiles(file);
  await page.getByRole("list", { name: "Itens" }).getByText("aula.mp4").first().waitFor();
  expect(await files()).toMatchObject([{ id, ready: true }]);
});

longTest("an upload that was left begins anew when its file was changed meanwhile", async () => {
  const { page, files, id } = await leftUpload();
  await page.getByLabel("Enviar arquivos").setInputFiles(video(PART + 10));
  await page.getByRole("list", { name: "Itens" }).getByText("aula.mp4").first().waitFor();
  const [only, ...others] = await files();
  expect([only!.ready, others]).toEqual([true, []]);
  expect(only!.id).not.toBe(id);
});

longTest("an upload that is given up offline stays listed until it is cancelled", async () => {
  const { page, files } = await leftUpload();
  const giveUp = page.getByRole("button", { name: "Desistir de aula.mp4" });
  await page.context().setOffline(true);
  await giveUp.click();
  await page.getByText("O envio não foi cancelado. Sem conexão: tente de novo.").waitFor();
  expect(await files()).toHaveLength(1);
  await page.context().setOffline(false);
  await giveUp.click();
  await until(async () => (await files()).length === 0);
  await giveUp.waitFor({ state: "detached" });
});

longTest("giving up an upload that has arrived meanwhile says that it stays", async () => {
  const { page, file, files, id, client } = await leftUpload();
  const rest = new Uint8Array(readFileSync(file).subarray(PART));
  expect((await sendPart(client, { id }, PART, rest)).status).toBe(200);
  await page.getByRole("button", { name: "Desistir de aula.mp4" }).click();
  await page.getByRole("alert").filter({ hasText: "O arquivo já tinha chegado inteiro" }).waitFor();
  await page.getByRole("list", { name: "Itens" }).getByText("aula.mp4").first().waitFor();
  expect(await files()).toMatchObject([{ id, ready: true }]);
});

longTest(
  "leaving an upload in progress needs a confirmation, and a form beside it keeps what is typed",
  async () => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
    allowTroubles(/ERR_|Failed to load/);
    await page.goto(`/products/${product.id}/content`);
    await waitForHydration(page);
    await page.getByText("Incluir texto").first().click();
    const text = page.getByLabel("Texto", { exact: true });
    await text.fill("Escrito durante o envio");
    const small = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("oi") };
    await page.getByLabel("Enviar arquivos").setInputFiles(small);
    const items = page.getByRole("list", { name: "Itens" });
    await items.getByText("a.txt").first().waitFor();
    expect(await text.inputValue()).toBe("Escrito durante o envio");
    await page.getByRole("button", { name: "Incluir texto" }).click();
    await page.getByText("Nome é obrigatório").waitFor();
    await text.fill("");

    await page.route("**/api/uploads/*?offset=8388608", () => {});
    const file = video(PART + 10);
    await page.getByLabel("Enviar arquivos").setInputFiles(file);
    await page.getByRole("button", { name: "Pausar aula.mp4" }).waitFor();
    await page.getByRole("link", { name: "Produtos" }).click();
    await page.getByRole("button", { name: /^Continuar (enviando|editando)$/ }).click();
    await page.getByRole("button", { name: "Pausar aula.mp4" }).click();
    await page.getByText("em pausa").waitFor();
  },
);

longTest(
  "an item removed elsewhere while it is edited leaves what was typed in the form of a new one",
  async () => {
    allowTroubles(/404|409/);
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
    await page.goto(`/products/${product.id}/content`);
    await waitForHydration(page);
    for (const name of ["Primeiro", "Segundo"]) {
      await page.getByText("Incluir link").first().click();
      await page.getByLabel("Nome para quem compra").first().fill(name);
      await page.getByLabel("Endereço").fill("https://exemplo.com.br/grupo");
      await page.getByRole("button", { name: "Incluir link" }).click();
      await page.getByRole("list", { name: "Itens" }).getByText(name).first().waitFor();
      await page.goto(`/products/${product.id}/content`);
      await waitForHydration(page);
    }
    await sql`update content_items set position = 3 - position where content_id in
    (select id from contents where seller_id = ${seller.id})`;
    await page.getByRole("button", { name: "Subir Segundo" }).click();
    await page.getByRole("alert").filter({ hasText: "A lista mudou em outra aba" }).waitFor();
    await page.getByRole("button", { name: "Descer Segundo" }).waitFor();

    await page.getByRole("link", { name: "Editar Primeiro" }).click();
    await page.getByRole("button", { name: "Salvar", exact: true }).waitFor();
    const name = page.getByLabel("Nome para quem compra").first();
    await name.fill("Escrito por mim");
    await sql`delete from content_items where name = 'Primeiro' and content_id in
    (select id from contents where seller_id = ${seller.id})`;
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "Este item foi removido" }).waitFor();
    expect(await name.inputValue()).toBe("Escrito por mim");
    await page.getByRole("button", { name: "Incluir link" }).click();
    await page.getByRole("list", { name: "Itens" }).getByText("Escrito por mim").first().waitFor();
  },
);

for (const javaScript of oneScript(false)) {
  test(`a product is made from name and price, filled with a file, and put on sale, ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const seller = await makeSeller();
    const cookie = (await signedIn(seller)).Cookie;
    const page = await openPage({ url: app.url, cookie, width: 360, javaScript });
    await page.goto("/products/create");
    await page.getByLabel("Nome do produto").fill("Curso de Violão");
    await page.getByLabel("Preço", { exact: true }).fill("97");
    await page.getByRole("button", { name: "Criar Produto" }).last().click();
    await page.getByText("criado, ainda inativo: falta o conteúdo").waitFor();
    await page.getByText("Este produto está inativo: falta o conteúdo").waitFor();
    await waitForHydration(page);
    await savePicture(page, `content-of-new-${javaScript ? "js" : "plain"}`);
    const [product] = await sql`select id from products where seller_id = ${seller.id}`;
    expect((await fetch(`${app.url}/checkout/${product!.id}`)).status).toBe(404);
    const file = { name: "curso.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n") };
    await page.getByLabel(javaScript ? "Enviar arquivos" : /^Arquivo/).setInputFiles(file);
    if (!javaScript) await page.getByRole("button", { name: "Enviar arquivo" }).click();
    await page.getByRole("list", { name: "Itens" }).getByText("curso.pdf").first().waitFor();
    await page.getByRole("button", { name: "Ativar produto" }).click();
    await page.getByText('Produto "Curso de Violão" ativado').waitFor();
    expect(await page.getByText("Este produto está inativo").count()).toBe(0);
    expect((await fetch(`${app.url}/checkout/${product!.id}`)).status).toBe(200);
  });
}
