import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  allowTroubles,
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { EVERY_WAY, longTest, oneWay, type Way } from "#tests/support/run/ways.ts";

let app: App;

beforeAll(async () => {
  // `buyer/page` reads from a second one at each change.
  app = await sharedApp({ web: EVERY_WAY ? 2 : 1 });
});

const told = ({ width, javaScript }: Way) => `${width}-${javaScript ? "js" : "plain"}`;
const inWords = "at $width px (JavaScript: $javaScript)";

async function visit(way: Way) {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { originalPriceCents: 19700 });
  const { Cookie: cookie } = await signedIn(seller);
  const open = () => openPage({ url: app.url, cookie, ...way });
  const screenshot = async (page: Page, name: string) => {
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `${name}-${told(way)}`);
  };
  /** The public page, from a process that did not save it where there are two. */
  const asBuyer = async () => (await fetch(`${app.web.at(-1)!.url}/checkout/${product.id}`)).text();
  return { open, screenshot, asBuyer };
}

/** Tabs are radios behind their labels. */
async function tab(page: Page, name: string) {
  await page.locator(".tab-list label", { hasText: name }).click();
}

/** What the preview shows, read through the page: nothing runs inside the frame. */
async function previewShows(page: Page, text: string) {
  const frame = page.locator("iframe");
  const inside = () => frame.evaluate((f: HTMLIFrameElement) => f.contentDocument?.body?.innerText ?? "");
  await expect.poll(inside).toContain(text);
}

const save = (page: Page, name = "Salvar") => page.getByRole("button", { name, exact: true }).last().click();

/** Colours are picked in a window of the browser's own; this is its effect on the page. */
async function pick(page: Page, label: string, color: string) {
  await page.getByLabel(label, { exact: true }).fill(color);
}

longTest(
  "the main colour is the button's, the payment's, the total's and the links', in the preview as at the buyer's",
  async () => {
    const way = { width: 1280, javaScript: true };
    const { open, asBuyer } = await visit(way);
    const page = await open();
    await page.goto("/checkout-customization");
    await previewShows(page, "Curso de Violão");
    await tab(page, "Cores");
    await pick(page, "Cor principal", "#7c3aed");
    const VIOLET = "rgb(124, 58, 237)";
    const wears = (document: Document) => {
      const of = (selector: string) => getComputedStyle(document.querySelector(selector)!);
      return [
        of(".buy").backgroundColor,
        of(".pix").borderTopColor,
        of(".total .sum").color,
        of(".foot a").color,
      ];
    };
    const inPreview = () =>
      page.locator("iframe").evaluate((frame: HTMLIFrameElement, screenshot) => {
        const document = frame.contentDocument;
        return document?.querySelector(".buy")
          ? new Function("document", `return (${screenshot})(document)`)(document)
          : [];
      }, wears.toString());
    await expect.poll(inPreview).toEqual(Array(4).fill(VIOLET));
    await save(page);
    await page.getByRole("status").filter({ hasText: "Configurações salvas" }).waitFor();
    const buyer = await openPage({ url: app.url });
    await buyer.setContent(await asBuyer());
    await expect.poll(() => buyer.evaluate(`(${wears})(document)`)).toEqual(Array(4).fill(VIOLET));
  },
);

test.each(oneWay(true))(`a seller makes the checkout theirs ${inWords}`, async (way) => {
  const { open, screenshot, asBuyer } = await visit(way);
  expect(await asBuyer()).toContain("Comprar Agora");
  const page = await open();
  await page.goto("/checkout-customization");
  await previewShows(page, "Curso de Violão");
  await screenshot(page, "customization-checkout");

  await page.getByLabel("Nome da marca").fill("Estúdio Aurora");
  await page
    .getByRole("textbox", { name: "Cabeçalho personalizado" })
    .fill("<b>Turma de maio</b><script>alert(1)</script>");
  await tab(page, "Cores");
  await pick(page, "Cor principal", "#ffb703");
  await tab(page, "Layout");
  await page.getByLabel("Pedir e-mail").uncheck();
  await page.getByText("Sem o e-mail não enviamos a confirmação da compra").waitFor();
  if (way.javaScript) expect(await page.getByLabel("Pedir confirmação do e-mail").isDisabled()).toBe(true);
  await screenshot(page, "customization-layout");
  await page.getByLabel("Pedir e-mail").check();
  await page.getByLabel("Pedir confirmação do e-mail").check();
  await tab(page, "Botões");
  await page.getByLabel("Texto do botão").fill("Quero começar");
  await page.getByRole("radio", { name: "Brilho" }).check();
  await tab(page, "Urgência");
  await page.getByLabel("Mostrar timer de urgência").check();
  if (!way.javaScript) await page.getByRole("button", { name: "Visualizar" }).click();
  await previewShows(page, "Estúdio Aurora");
  await previewShows(page, "Turma de maio");
  await previewShows(page, "Oferta expira em: 29:45");
  await previewShows(page, "Confirme seu e-mail");
  await previewShows(page, "Quero começar");
  expect(await asBuyer()).not.toContain("Quero começar");
  if (way.javaScript) {
    await tab(page, "Marca");
    await page.getByText("Será retirado ao salvar:").waitFor();
    await tab(page, "Cores");
    await page.getByText("Contraste de 1,7:1").waitFor();
    await page.getByRole("button", { name: "Computador" }).click();
    await screenshot(page, "customization-colors");
  }

  await save(page);
  await page.getByText("Configurações salvas com sucesso!").waitFor();
  await tab(page, "Marca");
  await page.getByText("Retirado:").waitFor();
  await page.getByText("código não roda na página de pagamento").waitFor();
  expect(await page.getByRole("textbox", { name: "Cabeçalho personalizado" }).inputValue()).toBe(
    "<b>Turma de maio</b>",
  );
  await screenshot(page, "customization-saved");
  const public_ = await asBuyer();
  for (const text of ["Quero começar", "Turma de maio", "Estúdio Aurora", "Oferta expira em:"])
    expect(public_).toContain(text);

  await page.goto("/checkout-customization?tab=botoes");
  expect(await page.getByLabel("Texto do botão").inputValue()).toBe("Quero começar");
});

longTest.each(oneWay(false))(
  `a wrong value is told at its field, in its tab, with everything kept ${inWords}`,
  async (way) => {
    const { open, screenshot } = await visit(way);
    const page = await open();
    await page.goto("/checkout-customization?tab=urgencia");
    await page.getByLabel("Minutos do timer").fill("3");
    await tab(page, "Botões");
    await page.getByLabel("Texto do botão").fill("Fica aqui");
    await save(page);
    await page.getByText("Erro: confira os campos marcados").waitFor();
    allowTroubles(/400/);
    const field = page.getByLabel("Minutos do timer");
    await field.waitFor();
    expect(await field.inputValue()).toBe("3");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Texto do botão").inputValue()).toBe("Fica aqui");
    await screenshot(page, "customization-wrong");
    await field.fill("45");
    await save(page);
    await page.getByText("Configurações salvas com sucesso!").waitFor();
  },
);

longTest.each(oneWay(true))(`the later of two tabs is told and decides ${inWords}`, async (way) => {
  const { open, screenshot } = await visit(way);
  const [early, late] = [await open(), await open()];
  for (const page of [early, late]) await page.goto("/checkout-customization?tab=botoes");
  await early.getByLabel("Texto do botão").fill("Da primeira");
  await save(early);
  await early.getByText("Configurações salvas com sucesso!").waitFor();

  await late.getByLabel("Texto do botão").fill("Da segunda");
  await save(late);
  await late.getByText("Isto foi salvo em outra aba").waitFor();
  allowTroubles(/409/);
  expect(await late.getByRole("alert").innerText()).toMatch(/salvo\s+Da primeira, aqui\s+Da segunda/);
  expect(await late.getByLabel("Texto do botão").inputValue()).toBe("Da segunda");
  await screenshot(late, "customization-conflict");
  // Saving again without deciding is told again.
  const answer = late.waitForResponse((response) => response.request().method() === "POST");
  await save(late);
  expect((await answer).status()).toBe(409);
  await late.getByText("Isto foi salvo em outra aba").waitFor();
  await late.getByRole("button", { name: "Salvar o meu por cima" }).click();
  await late.getByText("Configurações salvas com sucesso!").waitFor();

  await early.getByLabel("Texto do botão").fill("Da primeira, de novo");
  await save(early);
  await early.getByRole("link", { name: "Descartar o meu e ver o salvo" }).click();
  await early.getByRole("alert").waitFor({ state: "detached" });
  await tab(early, "Botões");
  expect(await early.getByLabel("Texto do botão").inputValue()).toBe("Da segunda");
});

longTest("what is typed after one's own was discarded stays where the theme is switched", async () => {
  const { open } = await visit({ width: 1280, javaScript: true });
  const [early, late] = [await open(), await open()];
  for (const page of [early, late]) await page.goto("/checkout-customization?tab=botoes");
  await early.getByLabel("Texto do botão").fill("Da primeira");
  await save(early);
  await early.getByText("Configurações salvas com sucesso!").waitFor();
  allowTroubles(/409/);
  await late.getByLabel("Texto do botão").fill("Da segunda");
  await save(late);
  await late.getByRole("link", { name: "Descartar o meu e ver o salvo" }).click();
  await late.getByRole("alert").waitFor({ state: "detached" });
  await tab(late, "Botões");
  await late.getByLabel("Texto do botão").fill("Depois");
  await late.getByRole("button", { name: "Usar tema escuro" }).click();
  await late.locator('html[data-theme="escuro"]').waitFor();
  expect(await late.getByLabel("Texto do botão").inputValue()).toBe("Depois");
});

test.each(oneWay(false))(`a seller makes the thank-you page theirs ${inWords}`, async (way) => {
  const { open, screenshot } = await visit(way);
  const page = await open();
  await page.goto("/thank-you-customization");
  await previewShows(page, "Obrigado pela sua compra!");
  await screenshot(page, "customization-thank-you");
  await tab(page, "Conteúdo");
  await page.getByLabel("Título", { exact: true }).fill("Bem-vinda!");
  await page
    .getByRole("textbox", { name: "Mensagem personalizada" })
    .fill("<p>Comece pela <b>aula 1</b>.</p>");
  await tab(page, "Comportamento");
  await page.getByLabel("Endereço para continuar").fill("https://membros.exemplo.com.br/");
  await page.getByLabel("Redirecionamento automático").selectOption("15");
  if (!way.javaScript) await page.getByRole("button", { name: "Visualizar" }).click();
  await previewShows(page, "Bem-vinda!");
  await previewShows(page, "Você será redirecionado em 15 segundos.");
  await screenshot(page, "customization-behaviour");
  await save(page, "Salvar Configurações");
  await page.getByText("Configurações salvas com sucesso!").waitFor();
  expect(await page.getByLabel("Redirecionamento automático").inputValue()).toBe("15");
  expect(await page.getByLabel("Redirecionamento automático").isVisible()).toBe(true);
});

test("the preview follows without scrolling, and custom CSS stays inside it", async () => {
  const { open } = await visit({ width: 1280, javaScript: true });
  const page = await open();
  await page.goto("/checkout-customization?tab=css");
  await previewShows(page, "Curso de Violão");
  const frame = page.locator("iframe");
  const window = () =>
    frame.evaluate((f: HTMLIFrameElement) => {
      const { contentWindow, contentDocument } = f;
      const { backgroundColor } = contentWindow!.getComputedStyle(contentDocument!.body);
      return { backgroundColor, scrollY: contentWindow!.scrollY };
    });
  await frame.evaluate((f: HTMLIFrameElement) => f.contentWindow!.scrollTo(0, 300));
  await page
    .getByRole("textbox", { name: "CSS customizado" })
    .fill("body { background: #123456 } .ck-brand { font-size: 30px }");
  await expect.poll(window).toEqual({ backgroundColor: "rgb(18, 52, 86)", scrollY: 300 });
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toContain("18, 52");
  expect(await page.locator("iframe").getAttribute("sandbox")).toBe("allow-same-origin");
});

longTest(
  "browsing the tabs is no change: nothing is unsaved, and leaving needs no confirmation",
  async () => {
    const { open } = await visit({ width: 1280, javaScript: true });
    const page = await open();
    await page.goto("/checkout-customization");
    await previewShows(page, "Comprar Agora");
    await tab(page, "Urgência");
    await page.getByLabel("Minutos do timer").waitFor();
    expect(await page.getByText("Alterações não salvas").count()).toBe(0);
    await page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name: "Produtos" }).click();
    await page.getByRole("heading", { name: "Produtos", exact: true }).waitFor();
    await page.goto("/checkout-customization");
    await previewShows(page, "Comprar Agora");
    await page.getByLabel("Nome da marca").fill("Marca nova");
    await page.getByText("Alterações não salvas").waitFor();
  },
);

longTest("without a network the page states it, keeps what was typed, and saves later", async () => {
  const { open } = await visit({ width: 1280, javaScript: true });
  const page = await open();
  await page.goto("/checkout-customization?tab=botoes");
  await previewShows(page, "Curso de Violão");
  await page.context().setOffline(true);
  await page.getByLabel("Texto do botão").fill("Sem rede");
  await save(page);
  await page.getByText("Erro ao salvar configurações").waitFor();
  await page.getByText("A prévia não pôde ser atualizada agora").waitFor();
  expect(await page.getByLabel("Texto do botão").inputValue()).toBe("Sem rede");
  await page.context().setOffline(false);
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await save(page);
  await page.getByText("Configurações salvas com sucesso!").waitFor();
});
