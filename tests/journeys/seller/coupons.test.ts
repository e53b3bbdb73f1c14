import type { Page } from "playwright";
import { beforeAll, describe, expect } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneScheme } from "#tests/support/run/ways.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width: number; dark?: boolean }) {
  const seller = await makeSeller();
  await makeGateway(seller);
  const page = await openPage({ ...options, url: app.url, cookie: (await signedIn(seller)).Cookie });
  return { seller, page };
}

async function picture(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  // Before axe, which shows the page in its own colour scheme.
  await savePicture(page, name);
  await expectNoSeriousAxe(page);
}

const label = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const card = (page: Page, code: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: code, exact: true }) });

describe.each([{ javaScript: true }, { javaScript: false }])("at 360 px, $javaScript", ({ javaScript }) => {
  const shot = (name: string) => `coupons-${name}-360-${javaScript ? "js" : "plain"}`;

  longTest("a coupon is created, seen, paused, changed, shared, copied and deleted", async () => {
    const { seller, page } = await dashboard({ javaScript, width: 360 });
    const product = await makeProduct(seller, { name: "Curso de Violão", checkoutSlug: null });
    const other = await makeProduct(seller, { name: "Curso de Canto", checkoutSlug: null });
    await page.goto("/dashboard");
    await page.locator("summary").filter({ hasText: "Menu" }).click();
    await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Cupons" }).click();
    await page.getByText("Nenhum cupom cadastrado").waitFor();
    await picture(page, shot("empty"));
    await page.getByRole("link", { name: "Criar primeiro cupom" }).click();

    allowTroubles(/400/);
    await label(page, "Código").fill("lançamento 20");
    await label(page, "Desconto").fill("120");
    await page.getByText("Só os marcados abaixo").click();
    await label(page, "Curso de Violão").check();
    await label(page, "Fim (opcional)").fill("2099-12-31T23:59");
    await label(page, "Limite de usos (opcional)").fill("50");
    await page.getByRole("button", { name: "Criar Cupom" }).last().click();
    await page.getByRole("alert").getByText("Desconto deve ser um número inteiro de 1 a 100").waitFor();
    expect(await label(page, "Código").inputValue()).toBe("lançamento 20");
    expect(await label(page, "Curso de Violão").isChecked()).toBe(true);
    expect(await label(page, "Fim (opcional)").inputValue()).toBe("2099-12-31T23:59");
    await picture(page, shot("wrong"));
    await label(page, "Desconto").fill("20");
    await page.getByRole("button", { name: "Criar Cupom" }).last().click();

    const made = card(page, "LANCAMENTO20");
    await made.getByText("20% de desconto").waitFor();
    await page.getByRole("status").getByText("Cupom LANCAMENTO20 criado").waitFor();
    for (const text of ["Ativo", "Curso de Violão", "Até 31/12/2099 23:59", "0 de 50"])
      expect(await made.getByText(text, { exact: true }).count(), text).toBe(1);
    await picture(page, shot("list"));
    await made.getByRole("button", { name: "Pausar LANCAMENTO20" }).click();
    await made.getByText("Pausado").waitFor();
    expect(
      await sql`select 1 from coupons where seller_id = ${seller.id} and deactivated_at is null`,
    ).toEqual([]);

    await made.getByRole("link", { name: "Editar LANCAMENTO20" }).click();
    const link = page.getByRole("link", { name: /\?cupom=LANCAMENTO20/ });
    expect(await link.getAttribute("href")).toMatch(
      new RegExp(`^https?://.*/checkout/${product.id}\\?cupom=LANCAMENTO20$`),
    );
    await page.getByText("Todos, também os que ainda vou criar").click();
    await page.getByText("Valor em reais").click();
    expect(await label(page, "Desconto também nos order bumps").isVisible()).toBe(false);
    await label(page, "Desconto").fill("30,50");
    await label(page, "Cupom ativo").check();
    await picture(page, shot("edit"));
    await page.getByRole("button", { name: "Salvar Cupom" }).last().click();
    await made.getByText("R$ 30,50 de desconto").waitFor();
    await made.getByText("Todos os produtos").waitFor();

    await made.getByRole("link", { name: "Links do cupom LANCAMENTO20" }).click();
    await page.getByLabel("Produto do link").selectOption("Curso de Violão");
    if (!javaScript) await page.getByRole("button", { name: "Mostrar link" }).click();
    const chosen = page.getByRole("link", { name: `/checkout/${product.id}?cupom=LANCAMENTO20` });
    await chosen.waitFor();
    expect(await page.getByRole("link", { name: `/checkout/${other.id}?` }).count()).toBe(0);
    const checkout = await app.fetch(
      `${new URL((await chosen.getAttribute("href"))!).pathname}?cupom=LANCAMENTO20`,
    );
    expect(await checkout.text()).toContain("Cupom LANCAMENTO20 aplicado");

    await page.goto("/coupons");
    await made.getByRole("button", { name: "Duplicar LANCAMENTO20" }).click();
    await card(page, "LANCAMENTO20-COPIA").getByText("Pausado").waitFor();
    await made.getByRole("button", { name: "Deletar LANCAMENTO20" }).click();
    const dialog = page.getByRole("dialog", { name: "Deletar cupom?" });
    await dialog.getByText("Não dá para desfazer").waitFor();
    await dialog.getByRole("button", { name: "Deletar" }).click();
    await page.getByRole("status").getByText("Cupom LANCAMENTO20 deletado").waitFor();
    await made.waitFor({ state: "detached" });
    expect(await card(page, "LANCAMENTO20-COPIA").count()).toBe(1);
  });
});

longTest("a code that is in use is told at its field, and what was typed stays", async () => {
  const { seller, page } = await dashboard({ width: 360 });
  await makeCoupon(seller);
  await page.goto("/coupons/create");
  await label(page, "Código").fill("menos10");
  await label(page, "Desconto").fill("15");
  allowTroubles(/409/);
  await page.getByRole("button", { name: "Criar Cupom" }).last().click();
  await page.getByRole("alert").getByText("Você já tem um cupom com este código").waitFor();
  expect(await label(page, "Desconto").inputValue()).toBe("15");
});

longTest.each(oneScheme(true))("each state is told in words, at $width px, dark: $dark", async (scheme) => {
  const { seller, page } = await dashboard(scheme);
  const product = await makeProduct(seller, { name: "Curso de Violão" });
  const [past, future] = [new Date("2020-01-01T15:00:00Z"), new Date("2099-01-01T15:00:00Z")];
  await makeCoupon(seller, { code: "ATIVO", percent: 10, includesBumps: true, maxUses: 50, uses: 12 });
  await makeCoupon(seller, { code: "PAUSADO", amountCents: 2000, deactivatedAt: past, minimumCents: 5000 });
  await makeCoupon(seller, { code: "FUTURO", startsAt: future, productIds: [product.id] });
  await makeCoupon(seller, { code: "PASSADO", startsAt: past, endsAt: new Date("2020-02-01T15:00:00Z") });
  await makeCoupon(seller, {
    code: "ESGOTADO",
    maxUses: 5,
    uses: 5,
    maxUsesPerBuyer: 1,
    isFirstPurchaseOnly: true,
  });
  await page.goto("/coupons");
  for (const [code, state] of [
    ["ATIVO", "Ativo"],
    ["PAUSADO", "Pausado"],
    ["FUTURO", "Começa em 01/01/2099 12:00"],
    ["PASSADO", "Venceu"],
    ["ESGOTADO", "Esgotou"],
  ] as const)
    expect(await card(page, code).getByText(state, { exact: true }).count(), code).toBe(1);
  await card(page, "ATIVO").getByText("12 de 50").waitFor();
  await card(page, "ATIVO").getByText("Também nos order bumps").waitFor();
  await card(page, "ESGOTADO").getByText("1 vez por pessoa · só na primeira compra").waitFor();
  await picture(page, `coupons-states-${scheme.width}-${scheme.dark ? "dark" : "light"}`);
  await page.emulateMedia({ colorScheme: scheme.dark ? "dark" : "light" });
  await card(page, "ATIVO").getByRole("link", { name: "Editar ATIVO" }).click();
  await page.getByRole("heading", { name: "ATIVO", level: 1 }).waitFor();
  await picture(page, `coupons-edit-${scheme.width}-${scheme.dark ? "dark" : "light"}`);
});
