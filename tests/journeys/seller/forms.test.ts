import { readFileSync } from "node:fs";
import { hash } from "@node-rs/argon2";
import { beforeAll, expect, test } from "vitest";
import { seal } from "#app/platform/secrets.server.ts";
import { SELLER_FORMS, type SellerForm, type Shop } from "#tests/journeys/seller/form-table.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { routeTable } from "#tests/support/routes/route-table.ts";
import { connectUtmify } from "#tests/support/rows/make-tracking.ts";
import { everyNth, longTest } from "#tests/support/run/ways.ts";

const DECLINE = (SELLER_FORMS["routes/seller/sale/sale.tsx"] as Record<string, SellerForm>).decline!;

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

test("every page of the dashboard with a POST has its row in the table of forms", async () => {
  const seller = (await routeTable()).filter(({ file }) => file.startsWith("routes/seller/"));
  const posting = seller.map(({ file }) => file).filter((file) => takesPosts(file));
  expect(Object.keys(SELLER_FORMS).sort()).toEqual([...new Set(posting)].sort());
});

function takesPosts(file: string): boolean {
  const source = readFileSync(`app/${file}`, "utf8");
  return /export (async )?function action|export const \{ (loader, )?action|export const action/.test(source);
}

const forms = Object.values(SELLER_FORMS).flatMap((rows) =>
  typeof rows === "string"
    ? []
    : Object.entries(rows).flatMap(([name, form]) => (typeof form === "string" ? [] : [{ name, form }])),
);

/** Every tenth one at each change: they share the same few components. All of them with all variants. */
const sampled = everyNth(10, forms);

test.each(sampled)(
  "what is typed into $name is neither lost nor overwrites a concurrent save",
  async ({ form }) => {
    allowTroubles(/ERR_INTERNET_DISCONNECTED|409/);
    const shop = await openShop(form);
    const page = await openPage({ url: app.url, cookie: (await signedIn(shop.seller)).Cookie });
    await page.goto(form.address(shop));
    await waitForHydration(page);
    await form.type(page);
    const typed = await form.typed(page);
    const isStored = async () => expect(await form.typed(page)).toBe(typed);

    await page.getByRole("link", { name: "Produtos" }).click();
    const dialog = page.getByRole("dialog", { name: "Sair sem salvar?" });
    await dialog.getByRole("button", { name: "Continuar editando" }).click();
    await dialog.waitFor({ state: "detached" });
    await isStored();

    const save = page.getByRole("button", { name: form.save, exact: true });
    const failed = page.getByRole("alert").filter({ hasText: form.offline });
    await page.context().setOffline(true);
    await save.click();
    await failed.waitFor();
    await isStored();
    await page.context().setOffline(false);
    if (!form.saved) return;

    const conflict = page.getByRole("alert").filter({ hasText: "Isto foi salvo em outra aba" });
    if (form.elsewhere) await sql.unsafe(sealedIn(form.elsewhere), [shop.seller.id]);
    await save.click();
    if (form.elsewhere) {
      await conflict.waitFor();
      expect(await failed.count()).toBe(0);
      await isStored();
      await page.getByRole("button", { name: "Salvar o meu por cima" }).click();
    }
    await page.getByRole("status").filter({ hasText: form.saved }).waitFor();
    expect(await conflict.count()).toBe(0);
    expect(await page.getByRole("alert").filter({ hasText: /Erro/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await page.waitForURL("**/dashboard");
  },
);

test("a session that ended asks for the password over the page, and the form is sent with one click", async () => {
  allowTroubles(/401/);
  const { seller, page } = await changeName();
  await sql`update sellers set password_hash = ${await hash("senha-de-teste-1", { memoryCost: 8, timeCost: 1 })} where id = ${seller.id}`;
  await sql`delete from sessions where seller_id = ${seller.id}`;
  const name = async () => (await sql`select name from sellers where id = ${seller.id}`)[0]!.name;
  const save = () => page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  await save();
  const dialog = page.getByRole("dialog", { name: "Sua sessão terminou" });
  await dialog.waitFor();
  await expectNoSeriousAxe(page);
  await savePicture(page, "session-ended-dialog");
  await dialog.getByRole("button", { name: "Voltar à página" }).click();
  await page.getByRole("alert").filter({ hasText: "Erro ao salvar configurações" }).waitFor();
  expect(await page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Vera Lúcia");
  await save();
  await dialog.getByLabel(/^Senha de/).fill("errada-errada");
  await dialog.getByRole("button", { name: "Entrar", exact: true }).click();
  await dialog.getByText("incorret").waitFor();
  await dialog.getByLabel(/^Senha de/).fill("senha-de-teste-1");
  await dialog.getByRole("button", { name: "Entrar", exact: true }).click();
  const send = page.getByRole("button", { name: "Enviar agora" });
  await send.waitFor();
  expect(await name()).toBe("Vera Vendedora");
  await send.click();
  await page.getByRole("status").filter({ hasText: "Configurações salvas" }).waitFor();
  expect(await name()).toBe("Vera Lúcia");
  expect((await sql`select id from held_forms where seller_id = ${seller.id}`).length).toBe(0);
});

longTest("a seller who signs in on another page finds there what was typed", async () => {
  const { seller, page } = await changeName();
  await sql`delete from sessions where seller_id = ${seller.id}`;
  await page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  await page.getByRole("button", { name: "Entrar de outro jeito, em outra página" }).click();
  await page.waitForURL(/\/login\?returnTo=%2Fresume-form/);
  await page.getByText("O que você digitou está guardado").waitFor();
  await savePicture(page, "login-held");
  await page.context().addCookies([cookieOf(await signedIn(seller))]);
  await page.reload();
  await page.waitForURL(/\/resume-form/);
  await expectNoSeriousAxe(page);
  await savePicture(page, "resume-form");
  await page.getByRole("button", { name: "Enviar o que digitei" }).click();
  await page.getByRole("status").filter({ hasText: "Configurações salvas" }).waitFor();
  expect((await sql`select name from sellers where id = ${seller.id}`)[0]!.name).toBe("Vera Lúcia");
});

function cookieOf({ Cookie }: { Cookie: string }) {
  const [name = "", value = ""] = Cookie.split(/=(.*)/s);
  return { name, value, url: app.url };
}

test("a dashboard without a network keeps its page, states it, and continues by itself once there is one", async () => {
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
  await savePicture(page, "desk-offline");
  await away.getByRole("button", { name: "Tentar de novo" }).click();
  await away.getByText("Ainda não foi possível").waitFor();
  expect(new URL(page.url()).pathname).toBe("/reports");
  await page.getByRole("heading", { level: 1, name: "Relatórios" }).waitFor();
  await page.context().setOffline(false);
  await page.waitForURL("**/products");
  await away.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Relatórios" }).first().click();
  await page.waitForURL(/reports/);
  // A network that reports to be up, and a proxy whose server is away.
  for (const fulfil of everyNth(2, ["502", "abort"])) {
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

longTest("a no to a buyer's question that came second is still there to be copied", async () => {
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
    // A reload after an answer does not affect the next one.
    await page.waitForLoadState("networkidle");
    await DECLINE.type(page);
    await sql`update refund_requests set answer = 'granted', answered_at = now() where sale_id = ${shop.saleId}`;
    await save.click();
    await page.getByText("Este pedido já foi respondido.").waitFor();
    await page.getByText("Respondemos no chat: já abre.").waitFor();
    await savePicture(page, `decline-second-${javaScript ? "js" : "plain"}`);
  }
});

longTest("a sale over the list is not closed over unsaved text in it", async () => {
  const shop = await openShop(DECLINE);
  const page = await openPage({ url: app.url, cookie: (await signedIn(shop.seller)).Cookie });
  await page.goto("/reports?tab=refunds&range=30d");
  await waitForHydration(page);
  await page.getByRole("link", { name: /Não abre/ }).click();
  const sale = page.getByRole("dialog", { name: /Detalhes da Venda/ });
  await DECLINE.type(page);
  await sale.getByRole("link", { name: "Editar dados do cliente" }).click();
  await sale.getByRole("link", { name: "Cancelar" }).click();
  await sale.getByRole("link", { name: "Editar dados do cliente" }).waitFor();
  for (const close of [
    () => sale.getByRole("button", { name: "Fechar" }).click(),
    () => page.keyboard.press("Escape"),
  ]) {
    await close();
    const dialog = page.getByRole("dialog", { name: "Sair sem salvar?" });
    await dialog.getByRole("button", { name: "Continuar editando" }).click();
    await dialog.waitFor({ state: "detached" });
    await sale.waitFor();
    expect(await DECLINE.typed(page)).toContain("Respondemos no chat");
  }
  await sale.getByRole("button", { name: "Fechar" }).click();
  await page.getByRole("button", { name: "Sair sem salvar" }).click();
  await sale.waitFor({ state: "detached" });
});

async function openShop(form: SellerForm): Promise<Shop> {
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

longTest("discarding values older than a concurrent save shows the saved ones", async () => {
  const { seller, page } = await changeName();
  await sql`update sellers set name = 'Vera de Outra Aba' where id = ${seller.id}`;
  await page.getByRole("button", { name: "Salvar perfil", exact: true }).click();
  const conflict = page.getByRole("alert").filter({ hasText: "Isto foi salvo em outra aba" });
  expect(await conflict.innerText()).toMatch(/Nome\s*: salvo\s+“?Vera de Outra Aba/);
  await page.getByRole("link", { name: "Descartar o meu e ver o salvo" }).click();
  await conflict.waitFor({ state: "detached" });
  expect(await page.getByLabel("Nome", { exact: true }).inputValue()).toBe("Vera de Outra Aba");
});

longTest("discarding what is typed in one form leaves what is typed in another of its page", async () => {
  allowTroubles(/409/);
  const seller = await makeSeller();
  await makeGateway(seller);
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/settings?tab=gateways");
  await waitForHydration(page);
  const receives = page.getByLabel("Receber por PIX com a PushinPay");
  const mailKey = page.getByLabel("Chave do Resend");
  await mailKey.fill("re_digitada");
  await receives.uncheck();
  await sql.unsafe(connectUtmify({ isEnabled: true }), [seller.id]);
  await page.getByRole("button", { name: "Salvar configurações" }).click();
  const discard = page.getByRole("link", { name: "Descartar o meu e ver o salvo" });
  await discard.click();
  await discard.waitFor({ state: "detached" });
  expect(await receives.isChecked()).toBe(true);
  expect(await mailKey.inputValue()).toBe("re_digitada");
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Sair sem salvar?" });
  await dialog.getByRole("button", { name: "Continuar editando" }).click();
  await receives.uncheck();
  await page.getByRole("link", { name: "Dashboard" }).first().click();
  await dialog.waitFor();
});

longTest("a save by a click on a page that is still reloading leaves no unsaved work", async () => {
  const { seller, page } = await changeName();
  await sql`update sellers set phone = '11912345678' where id = ${seller.id}`;
  // As on a slow phone, which paints late.
  const tools = await page.context().newCDPSession(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await page.evaluate(() => {
    const submit = () => {
      const again = [...document.querySelectorAll("button")].find(
        ({ innerText }) => innerText === "Salvar o meu por cima",
      );
      if (!again) return;
      observer.disconnect();
      again.click();
    };
    const observer = new MutationObserver(submit);
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
