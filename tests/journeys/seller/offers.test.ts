import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import {
  makeBump,
  makeGateway,
  makeOffer,
  makeProduct,
  makeSeller,
  makeUpsell,
  signedIn,
} from "#tests/support/make.ts";
import { longTest, oneScheme } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width: number; dark?: boolean }) {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { name: "Curso de Violão", checkoutSlug: null });
  const page = await openPage({ ...options, url: app.url, cookie: (await signedIn(seller)).Cookie });
  return { seller, product, page };
}

async function picture(page: Page, name: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  // Before axe, which shows the page in its own colour scheme.
  await savePicture(page, name);
  await expectNoSeriousAxe(page);
}

const label = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const card = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

describe.each([{ javaScript: true }, { javaScript: false }])("at 360 px, $javaScript", ({ javaScript }) => {
  const shot = (name: string) => `offers-${name}-360-${javaScript ? "js" : "plain"}`;
  /** A page as a buyer gets it. */
  const shown = async (path: string) =>
    (await (await app.fetch(path)).text()).replaceAll("\u00a0", " ").replaceAll("&nbsp;", " ");

  longTest(
    "an offer with a limit is created, opened by its link, changed, moved, paused, copied and deleted",
    async () => {
      const { product, page } = await dashboard({ javaScript, width: 360 });
      const bump = await makeBump(product, { name: "Apostila" });
      await makeUpsell(product, { name: "Mentoria" });
      await page.goto(`/products/${product.id}/edit`);
      await page.getByRole("link", { name: "Ofertas e lotes" }).click();
      await page.getByText("Nenhuma oferta cadastrada").waitFor();
      await page.getByText("O link do produto cobra agora R$ 97,00, o preço do produto.").waitFor();
      await picture(page, shot("empty"));
      await page.getByRole("link", { name: "Criar primeira oferta" }).click();

      allowTroubles(/400/);
      await label(page, "Nome").fill("Turma de março");
      await label(page, "Preço").fill("0,10");
      await label(page, "Fim (opcional)").fill("2099-12-31T23:59");
      await label(page, "Limite de unidades (opcional)").fill("50");
      const bumps = page.getByRole("group", { name: "Order bumps" });
      await bumps.getByText("Só os marcados abaixo").click();
      await bumps.getByLabel("Apostila").check();
      await page.getByRole("button", { name: "Criar Oferta" }).last().click();
      await page.getByRole("alert").getByText("Preço deve ser 0 (grátis) ou de pelo menos R$ 0,50").waitFor();
      expect(await label(page, "Nome").inputValue()).toBe("Turma de março");
      expect(await label(page, "Fim (opcional)").inputValue()).toBe("2099-12-31T23:59");
      expect(await bumps.getByLabel("Apostila").isChecked()).toBe(true);
      await picture(page, shot("wrong"));
      await label(page, "Preço").fill("47");
      await page.getByRole("button", { name: "Criar Oferta" }).last().click();

      const made = card(page, "Turma de março");
      await page.getByRole("status").getByText('Oferta "Turma de março" criada').waitFor();
      for (const text of [
        "R$ 47,00",
        "Link próprio",
        "Até 31/12/2099 23:59",
        "Vendidas ou reservadas: 0 de 50",
        "Ativa",
      ])
        expect(await made.getByText(text, { exact: true }).count(), text).toBe(1);
      await picture(page, shot("list"));
      await made.getByRole("link", { name: "Editar Turma de março" }).click();
      expect(await bumps.getByLabel("Apostila").getAttribute("value")).toBe(String(bump.id));
      const address = `/checkout/s/${await label(page, "Endereço (opcional)").inputValue()}`;
      expect(await shown(address)).toContain("R$ 47,00");
      expect(await shown(`/checkout/${product.id}`)).not.toContain("R$ 47,00");

      await page.getByText("Lote", { exact: true }).click();
      await label(page, "Preço").fill("57,90");
      await picture(page, shot("edit"));
      await page.getByRole("button", { name: "Salvar Oferta" }).last().click();
      await made.getByText("R$ 57,90").waitFor();
      await page.getByText('O link do produto cobra agora R$ 57,90, do lote "Turma de março".').waitFor();
      expect(await shown(`/checkout/${product.id}`)).toContain("R$ 57,90");

      await made.getByRole("button", { name: "Duplicar Turma de março" }).click();
      const copy = card(page, "Turma de março (cópia)");
      await copy.getByText("Pausada").waitFor();
      await copy.getByRole("button", { name: "Subir Turma de março (cópia)" }).click();
      await page.getByRole("status").getByText('Oferta "Turma de março (cópia)" movida').waitFor();
      await page
        .locator("ol > li")
        .first()
        .getByRole("heading", { name: "Turma de março (cópia)" })
        .waitFor();
      const up = copy.getByRole("button", { name: "Subir Turma de março (cópia)" });
      expect(await up.isDisabled()).toBe(true);
      if (javaScript) {
        await until(() => up.evaluate((button) => button === document.activeElement));
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page
          .locator("ol > li")
          .last()
          .getByRole("heading", { name: "Turma de março (cópia)" })
          .waitFor();
        const down = copy.getByRole("button", { name: "Descer Turma de março (cópia)" });
        await until(() => down.evaluate((button) => button === document.activeElement));
      }
      await made.getByRole("button", { name: "Pausar Turma de março" }).click();
      await made.getByText("Pausada").waitFor();
      await page.getByText("O link do produto cobra agora R$ 97,00, o preço do produto.").waitFor();

      await made.getByRole("button", { name: "Deletar Turma de março" }).click();
      const dialog = page.getByRole("dialog", { name: "Deletar oferta?" });
      await dialog.getByText("Não dá para desfazer").waitFor();
      await dialog.getByRole("button", { name: "Deletar" }).click();
      await page.getByRole("status").getByText('Oferta "Turma de março" deletada').waitFor();
      await made.waitFor({ state: "detached" });
      expect(await copy.count()).toBe(1);
    },
  );
});

longTest("an address that is in use is told at its field, and what was typed stays", async () => {
  const { product, page } = await dashboard({ width: 360 });
  const { slug } = await makeOffer(product);
  await page.goto(`/products/${product.id}/offers/create`);
  await label(page, "Nome").fill("Segundo lote");
  await label(page, "Preço").fill("15");
  await label(page, "Endereço (opcional)").fill(slug);
  allowTroubles(/409/);
  await page.getByRole("button", { name: "Criar Oferta" }).last().click();
  await page.getByRole("alert").getByText("Este endereço de checkout já está em uso").waitFor();
  expect(await label(page, "Nome").inputValue()).toBe("Segundo lote");
});

test("the form of a coupon offers the offers of its seller's products", async () => {
  const { product, page } = await dashboard({ width: 360 });
  await makeOffer(product, { name: "Turma de março" });
  await makeOffer(await makeProduct(await makeSeller()), { name: "Alheia" });
  await page.goto("/coupons/create");
  const offers = page.getByRole("group", { name: "Ofertas" });
  await offers.getByText("Só as marcadas abaixo").click();
  expect(await offers.getByText("Alheia").count()).toBe(0);
  await offers.getByLabel("Curso de Violão: Turma de março").check();
  await label(page, "Código").fill("MARCO");
  await label(page, "Desconto").fill("10");
  await page.getByRole("button", { name: "Criar Cupom" }).last().click();
  await card(page, "MARCO").getByRole("link", { name: "Editar MARCO" }).click();
  expect(await offers.getByLabel("Curso de Violão: Turma de março").isChecked()).toBe(true);
});

longTest.each(oneScheme(false))("each state is told in words, at $width px, dark: $dark", async (scheme) => {
  const { product, page } = await dashboard(scheme);
  await makeBump(product, { name: "Apostila" });
  const [past, future] = [new Date("2020-01-01T15:00:00Z"), new Date("2099-01-01T15:00:00Z")];
  const all = [
    { name: "Ativa agora", kind: "tier", maxUnits: 50, units: 12, maxUnitsPerBuyer: 2, maxQuantity: 5 },
    { name: "Pausada já", kind: "listed", deactivatedAt: past },
    { name: "Futura", startsAt: future, priceCents: 0 },
    { name: "Passada", startsAt: past, endsAt: new Date("2020-02-01T15:00:00Z") },
    { name: "Esgotada", maxUnits: 5, units: 5, minQuantity: 5, maxQuantity: 5 },
  ] as const;
  for (const [position, offer] of all.entries()) await makeOffer(product, { ...offer, position });
  await page.goto(`/products/${product.id}/offers`);
  for (const [name, state] of [
    ["Ativa agora", "Ativa"],
    ["Pausada já", "Pausada"],
    ["Futura", "Começa em 01/01/2099 12:00"],
    ["Passada", "Terminou"],
    ["Esgotada", "Esgotou"],
  ] as const)
    expect(await card(page, name).getByText(state, { exact: true }).count(), name).toBe(1);
  await card(page, "Ativa agora").getByText("Vendidas ou reservadas: 12 de 50").waitFor();
  await card(page, "Ativa agora").getByText("De 1 a 5 por pedido · até 2 por pessoa").waitFor();
  await card(page, "Pausada já").getByText("Na página do produto").waitFor();
  await card(page, "Futura").getByText("Grátis").waitFor();
  await picture(page, `offers-states-${scheme.width}-${scheme.dark ? "dark" : "light"}`);
  await page.emulateMedia({ colorScheme: scheme.dark ? "dark" : "light" });
  await card(page, "Ativa agora").getByRole("link", { name: "Editar Ativa agora" }).click();
  await page.getByRole("heading", { name: "Ativa agora", level: 1 }).waitFor();
  await picture(page, `offers-edit-${scheme.width}-${scheme.dark ? "dark" : "light"}`);
});
