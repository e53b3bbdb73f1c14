import { readFileSync } from "node:fs";
import { hash } from "@node-rs/argon2";
import { beforeAll, expect, test } from "vitest";
import { seal } from "#app/platform/secrets.server.ts";
import { DESK_FORMS, type DeskForm, type Shop } from "#tests/journeys/seller/form-table.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  keepPicture,
  openPage,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { everySecond } from "#tests/support/run/ways.ts";

const DECLINE = (DESK_FORMS["routes/seller/sale/sale.tsx"] as Record<string, DeskForm>).decline!;

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

test("every page of the desk that takes something posted has its row in the table of forms", async () => {
  const seller = (await routeTable()).filter(({ file }) => file.startsWith("routes/seller/"));
  const posting = seller.map(({ file }) => file).filter((file) => takesPosts(file));
  expect(Object.keys(DESK_FORMS).sort()).toEqual([...new Set(posting)].sort());
});

function takesPosts(file: string): boolean {
  const source = readFileSync(`app/${file}`, "utf8");
  return /export (async )?function action|export const \{ (loader, )?action|export const action/.test(source);
}

const forms = Object.values(DESK_FORMS).flatMap((rows) =>
  typeof rows === "string"
    ? []
    : Object.entries(rows).flatMap(([name, form]) => (typeof form === "string" ? [] : [{ name, form }])),
);

/** Every second one at each change: they stand on the same few parts. All where every way is walked. */
const looked = everySecond(forms);

test.each(looked)("what is typed into $name is neither lost nor does it overwrite", async ({ form }) => {
  allowTroubles(/ERR_INTERNET_DISCONNECTED|409/);
  const shop = await openShop(form);
  const page = await openPage({ url: app.url, cookie: (await signedIn(shop.seller)).Cookie });
  await page.goto(form.address(shop));
  await waitForHydration(page);
  await form.type(page);
  const typed = await form.typed(page);
  const isKept = async () => expect(await form.typed(page)).toBe(typed);

  await page.getByRole("link", { name: "Produtos" }).click();
  const asked = page.getByRole("dialog", { name: "Sair sem salvar?" });
  await asked.getByRole("button", { name: "Continuar editando" }).click();
  await asked.waitFor({ state: "detached" });
  await isKept();

  const save = page.getByRole("button", { name: form.save, exact: true });
  const failed = page.getByRole("alert").filter({ hasText: form.offline });
  await page.context().setOffline(true);
  await save.click();
  await failed.waitFor();
  await isKept();
  await page.context().setOffline(false);
  if (!form.saved) return;

  const conflict = page.getByRole("alert").filter({ hasText: "Isto foi salvo em outra aba" });
  if (form.elsewhere) await sql.unsafe(sealedIn(form.elsewhere), [shop.seller.id]);
  await save.click();
  if (form.elsewhere) {
    await conflict.waitFor();
    expect(await failed.count()).toBe(0);
    await isKept();
    await page.getByRole("button", { name: "Salvar o meu por cima" }).click();
  }
  await page.getByRole("status").filter({ hasText: form.saved }).waitFor();
  expect(await conflict.count()).toBe(0);
  expect(await page.getByRole("alert").filter({ hasText: /Erro/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await page.waitForURL("**/dashboard");
});

test("a session that ended asks for the password over the page, and the form is sent by a press", async () => {
  allowTroubles(/401/);
  const { seller, page } = await changeName();
  await sql`update sellers set password_hash = ${await hash("senha-de-teste-1", { memoryCost: 8, timeCost: 1 })} where id = ${seller.id}`;
  await sql`delete from sessions where seller_id = ${seller.id}`;
  const name = async () => (await sql`select name from sellers where id = ${seller.id}`)[0]!.name;
  const save = () => page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  await save();
  const asked = page.getByRole("dialog", { name: "Sua sessão terminou" });
  await asked.waitFor();
  await expectNoSeriousAxe(page);
  await keepPicture(page, "session-ended-dialog");
  await asked.getByRole("button", { name: "Voltar à página" }).click();
  await page.getByRole("alert").filter({ hasText: "Erro ao salvar configurações" }).waitFor();
  expect(await page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Vera Lúcia");
  await save();
  await asked.getByLabel(/^Senha de/).fill("errada-errada");
  await asked.getByRole("button", { name: "Entrar", exact: true }).click();
  await asked.getByText("incorret").waitFor();
  await asked.getByLabel(/^Senha de/).fill("senha-de-teste-1");
  await asked.getByRole("button", { name: "Entrar", exact: true }).click();
  const send = page.getByRole("button", { name: "Enviar agora" });
  await send.waitFor();
  expect(await name()).toBe("Vera Vendedora");
  await send.click();
  await page.getByRole("status").filter({ hasText: "Configurações salvas" }).waitFor();
  expect(await name()).toBe("Vera Lúcia");
  expect((await sql`select id from held_forms where seller_id = ${seller.id}`).length).toBe(0);
});

test("who signs in on another page finds there what was typed", async () => {
  const { seller, page } = await changeName();
  await sql`delete from sessions where seller_id = ${seller.id}`;
  await page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  await page.getByRole("button", { name: "Entrar de outro jeito, em outra página" }).click();
  await page.waitForURL(/\/login\?returnTo=%2Fresume-form/);
  await page.getByText("O que você digitou está guardado").waitFor();
  await keepPicture(page, "login-held");
  await page.context().addCookies([cookieOf(await signedIn(seller))]);
  await page.reload();
  await page.waitForURL(/\/resume-form/);
  await expectNoSeriousAxe(page);
  await keepPicture(page, "resume-form");
  await page.getByRole("button", { name: "Enviar o que digitei" }).click();
  await page.getByRole("status").filter({ hasText: "Configurações salvas" }).waitFor();
  expect((await sql`select name from sellers where id = ${seller.id}`)[0]!.name).toBe("Vera Lúcia");
});

function cookieOf({ Cookie }: { Cookie: string }) {
  const [name = "", value = ""] = Cookie.split(/=(.*)/s);
  return { name, value, url: app.url };
}

test("a desk without a network keeps its page, says so, and goes on by itself once there is one", async () => {
  allowTroubles(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 502|route module|dynamically imported/);
  const shop = await openShop(DECLINE);
  const page = await openPage({ url: app.url, cookie: (await signedIn(shop.seller)).Cookie });
  await page.goto("/reports?range=30d");
  await waitForHydration(page);
  const away = page.getByRole("alert").filter({ hasText: "Sem conexão" });
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Produtos" }).first().click();
  await away.waitFor();
  await expectNoSeriousAxe(page);
  await keepPicture(page, "desk-offline");
  await away.getByRole("button", { name: "Tentar de novo" }).click();
  await away.getByText("Ainda não foi possível").waitFor();
  expect(new URL(page.url()).pathname).toBe("/reports");
  await page.getByRole("heading", { level: 1, name: "Relatórios" }).waitFor();
  await page.context().setOffline(false);
  await page.waitForURL("**/products");
  await away.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Relatórios" }).first().click();
  await page.waitForURL(/reports/);
  // A network that says it is there, and a proxy whose server is away.
  for (const fulfil of ["abort", "502"]) {
    await page.route("**/*.data*", (route) =>
      fulfil === "abort" ? route.abort() : route.fulfill({ status: 502, body: "Bad Gateway" }),
    );
    await page.goto(`/reports?range=30d&try=${fulfil}`);
    await waitForHydration(page);
    await page
      .getByRole("link", { name: /^Detalhes/ })
      .first()
      .dispatchEvent("click");
    await page.getByRole("alert").filter({ hasText: "Erro ao carregar detalhes da venda" }).waitFor();
    await page.unroute("**/*.data*");
    await page.getByRole("button", { name: "Tentar de novo" }).click();
    await page.getByRole("dialog", { name: /Detalhes da Venda/ }).waitFor();
  }
});

test("a no to a buyer's question that came second is still there to be copied", async () => {
  allowTroubles(/400|409/);
  const shop = await openShop(DECLINE);
  for (const javaScript of [true, false]) {
    await sql`update refund_requests set answer = null, answer_text = null, answered_at = null where sale_id = ${shop.saleId}`;
    const page = await openPage({
      url: app.url,
      cookie: (await signedIn(shop.seller)).Cookie,
      javaScript,
      width: 360,
    });
    await page.goto(DECLINE.address(shop));
    if (javaScript) await waitForHydration(page);
    const save = page.getByRole("button", { name: DECLINE.save });
    await page.getByLabel("Ou recuse, com uma explicação").fill("   ");
    await save.click();
    await page.getByText("Explique por que não: o comprador vai ler.").first().waitFor();
    // What the page reads again after an answer does not come upon the next one.
    await page.waitForLoadState("networkidle");
    await DECLINE.type(page);
    await sql`update refund_requests set answer = 'granted', answered_at = now() where sale_id = ${shop.saleId}`;
    await save.click();
    await page.getByText("Este pedido já foi respondido.").waitFor();
    await page.getByText("Respondemos no chat: já abre.").waitFor();
    await keepPicture(page, `decline-second-${javaScript ? "js" : "plain"}`);
  }
});

test("a sale over the list is not closed over what was written in it", async () => {
  const shop = await openShop(DECLINE);
  const page = await openPage({ url: app.url, cookie: (await signedIn(shop.seller)).Cookie });
  await page.goto("/reports?tab=refunds&range=30d");
  await waitForHydration(page);
  await page.getByRole("link", { name: /Não abre/ }).click();
  const sale = page.getByRole("dialog", { name: /Detalhes da Venda/ });
  await DECLINE.type(page);
  for (const close of [
    () => sale.getByRole("button", { name: "Fechar" }).click(),
    () => page.keyboard.press("Escape"),
  ]) {
    await close();
    const asked = page.getByRole("dialog", { name: "Sair sem salvar?" });
    await asked.getByRole("button", { name: "Continuar editando" }).click();
    await asked.waitFor({ state: "detached" });
    await sale.waitFor();
    expect(await DECLINE.typed(page)).toContain("Respondemos no chat");
  }
  await sale.getByRole("button", { name: "Fechar" }).click();
  await page.getByRole("button", { name: "Sair sem salvar" }).click();
  await sale.waitFor({ state: "detached" });
});

async function openShop(form: DeskForm): Promise<Shop> {
  const seller = await makeSeller({ name: "Vera Vendedora", passwordHash: null });
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const sale = await makeSale(product, { status: "completed" });
  if (form.given) await sql.unsafe(sealedIn(form.given), [seller.id]);
  return { seller, productId: product.id, saleId: sale.id };
}

function sealedIn(statement: string): string {
  return statement.replace("{sealed}", seal("re_restricted-vera"));
}

/** A seller's profile with a name typed that is not saved. */
async function changeName() {
  allowTroubles(/409/);
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/settings?tab=perfil");
  await waitForHydration(page);
  await page.getByLabel("Nome", { exact: true }).fill("Vera Lúcia");
  return { seller, page };
}

test("who discards what is older than what somebody else saved sees what is saved", async () => {
  const { seller, page } = await changeName();
  await sql`update sellers set name = 'Vera de Outra Aba' where id = ${seller.id}`;
  await page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  const conflict = page.getByRole("alert").filter({ hasText: "Isto foi salvo em outra aba" });
  expect(await conflict.innerText()).toMatch(/Nome\s*: salvo\s+“?Vera de Outra Aba/);
  await page.getByRole("link", { name: "Descartar o meu e ver o salvo" }).click();
  await conflict.waitFor({ state: "detached" });
  expect(await page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Vera de Outra Aba");
});

test("what is saved by a press on a page that is still coming back is no unsaved work", async () => {
  const { seller, page } = await changeName();
  await sql`update sellers set phone = '11912345678' where id = ${seller.id}`;
  // As on a slow phone, where what is loaded is painted late.
  const tools = await page.context().newCDPSession(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await page.evaluate(() => {
    const press = () => {
      const again = [...document.querySelectorAll("button")].find(
        ({ innerText }) => innerText === "Salvar o meu por cima",
      );
      if (!again) return;
      observer.disconnect();
      again.click();
    };
    const observer = new MutationObserver(press);
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  await page.getByRole("status").filter({ hasText: "Configurações salvas" }).waitFor();
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await page.waitForURL("**/dashboard");
});

test("without JavaScript an older form comes back as it was posted, and is saved over", async () => {
  allowTroubles(/409/);
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const { Cookie } = await signedIn(seller);
  const page = await openPage({ url: app.url, cookie: Cookie, javaScript: false });
  await page.goto("/settings?tab=notificacoes");
  await page.getByLabel("Relatório semanal").click();
  const mine = await page.getByLabel("Relatório semanal").isChecked();
  await sql`update sellers set notify_monthly_report = not notify_monthly_report where id = ${seller.id}`;
  await page.getByRole("button", { name: "Salvar notificações" }).click();
  await page.getByText("Isto foi salvo em outra aba").waitFor();
  expect(await page.getByLabel("Relatório semanal").isChecked()).toBe(mine);
  await page.getByRole("button", { name: "Salvar o meu por cima" }).click();
  await page.getByText("Configurações salvas com sucesso!").waitFor();
  const [row] = await sql`select notify_weekly_report as weekly from sellers where id = ${seller.id}`;
  expect(row!.weekly).toBe(mine);
});
