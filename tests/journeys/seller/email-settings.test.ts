import type { Page } from "playwright";
import { beforeAll, expect, test } from "vitest";
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
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { makeOwnSender, stopLinkTo } from "#tests/support/rows/make-mail.ts";
import { makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";
import { longTest, oneScript, WIDTHS } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

async function dashboard(options: { javaScript?: boolean; width?: number; dark?: boolean } = {}) {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  const { Cookie } = await signedIn(seller);
  return { seller, page: await openPage({ url: app.url, cookie: Cookie, ...options }) };
}

/** What the preview shows, read from its document: nothing runs in that frame, not even a test's own script. */
async function untilPreviewed(page: Page, text: string) {
  const html = () => page.locator('iframe[title="Prévia do e-mail"]').getAttribute("srcdoc");
  await until(async () => (await html())?.includes(text), { what: `the preview to say ${text}` });
}

/** axe cannot work in a frame where nothing runs: it checks the page around it. */
async function expectAccessible(page: Page) {
  const twin = await page.context().newPage();
  await twin.goto(page.url());
  await twin.getByRole("heading", { level: 1 }).waitFor();
  await twin.evaluate(() => document.querySelector("iframe")?.remove());
  await expectNoSeriousAxe(twin);
  await twin.close();
}

longTest("without the network or the server a template stays typed and its form states it", async () => {
  const { seller, page } = await dashboard();
  await page.goto("/settings/email");
  await untilPreviewed(page, "Olá, Maria Silva!");
  const subject = page.getByLabel("Assunto");
  const save = page.getByRole("button", { name: "Salvar", exact: true });
  await subject.fill("Chegou: {product_name}");
  await page.context().setOffline(true);
  await save.click();
  await page.getByRole("alert").getByText("Erro ao salvar template").waitFor();
  expect(await subject.inputValue()).toBe("Chegou: {product_name}");
  await page.getByRole("button", { name: "Enviar teste" }).click();
  await page.getByRole("alert").getByText("Erro de conexão ao testar email").waitFor();
  expect(await subject.inputValue()).toBe("Chegou: {product_name}");
  await page.context().setOffline(false);
  await sql`alter table email_templates rename to away`;
  try {
    await save.click();
    await page.getByRole("alert").getByText("Erro ao salvar template").waitFor();
  } finally {
    await sql`alter table away rename to email_templates`;
  }
  expect(await subject.inputValue()).toBe("Chegou: {product_name}");
  await save.click();
  await page.getByText("Configurações de email salvas com sucesso!").waitFor();
  const [row] = await sql`select subject from email_templates where seller_id = ${seller.id}`;
  expect(row!.subject).toBe("Chegou: {product_name}");
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch|500/);
});

const KEY = "re_chave-plantada-da-vera";

for (const width of WIDTHS) {
  test(`a template is written, previewed and saved at ${width} px`, async () => {
    const { seller, page } = await dashboard({ width });
    await page.goto("/settings/email");
    await untilPreviewed(page, "Olá, Maria Silva!");
    // Ours has a button of its own.
    expect(await page.getByText("O modelo não tem o link da compra").count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await savePicture(page, `email-template-${width}`);
    await page.getByLabel("HTML", { exact: true }).check();
    await page
      .getByLabel("Conteúdo (HTML)")
      .fill('<p>Oi, {{customer_name}}! {apelido}</p><a href="{product_file_url}">Abrir</a>');
    await untilPreviewed(page, "Oi, Maria Silva! {apelido}");
    await page.getByText("Variável desconhecida").waitFor();
    await page.getByLabel("Assunto").fill("Chegou: {product_name}");
    await page.getByText("Chegou: Curso de Violão").waitFor();
    await page.getByRole("textbox", { name: "Chave do Resend" }).fill(KEY);
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.getByText("Configurações de email salvas com sucesso!").waitFor();
    const [row] = await sql`select subject from email_templates where seller_id = ${seller.id}`;
    expect(row!.subject).toBe("Chegou: {product_name}");
    expect(await page.getByRole("textbox", { name: "Chave do Resend" }).inputValue()).toBe("••••••••vera");
    expect(await page.content()).not.toContain(KEY);
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.getByText("Configurações de email salvas com sucesso!").waitFor();
    expect(await page.getByRole("textbox", { name: "Chave do Resend" }).inputValue()).toBe("••••••••vera");
  });

  longTest(`a domain is created, verified and removed at ${width} px`, async () => {
    const { page } = await dashboard({ width });
    await page.goto("/settings/email");
    await page.getByRole("textbox", { name: "Chave do Resend" }).fill(`re_conta-${width}`);
    await page.getByRole("button", { name: "Salvar", exact: true }).click();
    await page.getByText("Configurações de email salvas com sucesso!").waitFor();
    await page.getByRole("link", { name: "Domínio", exact: true }).click();
    await page.getByLabel("Domínio", { exact: true }).first().fill("https://www.escola-da-vera.com.br/");
    await page.getByRole("button", { name: "Criar domínio no Resend" }).click();
    await page.getByRole("heading", { name: "escola-da-vera.com.br" }).waitFor();
    await page.getByText('"v=spf1 include:amazonses.com ~all"').waitFor();
    await page.getByRole("button", { name: "Copiar valor do DKIM TXT" }).waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `email-domain-${width}`);
    await page.getByRole("button", { name: "Verificar agora" }).click();
    await page.getByText("Verificado", { exact: true }).waitFor();
    await page.getByText("Tudo certo").waitFor();
    await page.getByText("Conectado", { exact: true }).waitFor();
    await savePicture(page, `email-domain-verified-${width}`);
    await page.getByRole("button", { name: "Remover domínio" }).click();
    await page.getByRole("button", { name: "Remover", exact: true }).click();
    await page.getByText("Domínio removido daqui.").waitFor();
  });

  longTest(`anti-spam states what is in order and what to do at ${width} px`, async () => {
    const { page } = await dashboard({ width });
    await page.goto("/settings/email?tab=anti-spam");
    await page.getByText("verificações em ordem").waitFor();
    await page.getByText("O que fazer:").first().waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoSeriousAxe(page);
    await savePicture(page, `email-spam-${width}`);
  });
}

test("without JavaScript a template is previewed, refused with its fields kept, and saved", async () => {
  const { page } = await dashboard({ javaScript: false });
  await page.goto("/settings/email");
  await page.getByLabel("HTML", { exact: true }).check();
  await page.getByLabel("Conteúdo (HTML)").fill("<h1>Oi, {customer_name}</h1>{nada}");
  await page.getByRole("button", { name: "Visualizar" }).click();
  await page.getByText("Variável desconhecida").waitFor();
  expect(await page.getByLabel("Conteúdo (HTML)").inputValue()).toBe("<h1>Oi, {customer_name}</h1>{nada}");
  expect(await page.locator("iframe").getAttribute("srcdoc")).toContain("Oi, Maria Silva");
  await page.getByRole("textbox", { name: "Chave do Resend" }).fill("nao-e-chave");
  await page.getByRole("button", { name: "Salvar", exact: true }).click();
  await page.getByText("Nada foi salvo ainda.").waitFor();
  await page.getByRole("button", { name: "Salvar assim mesmo" }).click();
  await page.getByText("Erro ao salvar chave API: A chave do Resend começa com re_").first().waitFor();
  allowTroubles(/status of 400/);
  expect(await page.getByLabel("Conteúdo (HTML)").inputValue()).toBe("<h1>Oi, {customer_name}</h1>{nada}");
  await page.getByRole("textbox", { name: "Chave do Resend" }).fill("");
  await page.getByRole("button", { name: "Adicionar o botão e salvar" }).click();
  await page.getByText("Configurações de email salvas com sucesso!").waitFor();
  const html = await page.getByLabel("Conteúdo (HTML)").inputValue();
  expect(html.startsWith("<h1>Oi, {customer_name}</h1>{nada}")).toBe(true);
  expect(html).toContain('href="{product_file_url}"');
});

for (const javaScript of oneScript(true)) {
  const how = javaScript ? "with" : "without";
  longTest(
    `the simple editor writes title, text and button in the shop's colours ${how} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript, width: 360 });
      await makeCheckoutSettings(seller, { button_color: "#7c2d12" });
      await page.goto("/settings/email");
      expect(await page.getByLabel("Título").inputValue()).toBe("Pagamento aprovado");
      expect(await page.getByLabel("Conteúdo (HTML)").isVisible()).toBe(false);
      await page.getByLabel("Título").fill("Que bom ter você aqui, {customer_name}!");
      await page
        .getByLabel("Texto", { exact: true })
        .fill("O curso <3 já é seu.\nBom estudo!\n\nAté a aula.");
      await page.getByLabel("Texto do botão").fill("Entrar no curso");
      if (javaScript) {
        await untilPreviewed(page, "O curso &lt;3 já é seu.<br>");
        await page.getByLabel("HTML", { exact: true }).check();
        // Behind the switch is what the simple editor wrote.
        expect(await page.getByLabel("Conteúdo (HTML)").inputValue()).toContain("Entrar no curso");
        await page.getByLabel("Editor simples").check();
      } else await page.getByRole("button", { name: "Visualizar" }).click();
      await untilPreviewed(page, "Que bom ter você aqui, Maria Silva!");
      await untilPreviewed(page, 'bgcolor="#7c2d12"');
      await expectNoSidewaysScroll(page);
      if (javaScript) await expectAccessible(page);
      await savePicture(page, `email-simple-${how}`);
      await page.getByLabel("Título").fill("");
      await page.getByRole("button", { name: "Salvar", exact: true }).click();
      await page.getByText("Título é obrigatório").first().waitFor();
      expect(await page.getByLabel("Texto do botão").inputValue()).toBe("Entrar no curso");
      await page.getByLabel("Título").fill("Chegou");
      await page.getByRole("button", { name: "Salvar", exact: true }).click();
      await page.getByText("Configurações de email salvas com sucesso!").waitFor();
      const [row] =
        await sql`select simple, html_content from email_templates where seller_id = ${seller.id}`;
      expect(row!.simple).toEqual({
        title: "Chegou",
        text: "O curso <3 já é seu.\nBom estudo!\n\nAté a aula.",
        button: "Entrar no curso",
      });
      expect(row!.html_content).toContain('href="{product_file_url}"');
      expect(await page.getByLabel("Texto do botão").inputValue()).toBe("Entrar no curso");

      await page.getByLabel("HTML", { exact: true }).check();
      await page.getByLabel("Conteúdo (HTML)").fill('<a href="{product_file_url}">Meu HTML</a>');
      const form = page.locator("form", { has: page.getByLabel("Conteúdo (HTML)") });
      const version = () => form.locator("[name=version]").inputValue();
      const before = await version();
      await page.getByRole("button", { name: "Salvar", exact: true }).click();
      await until(
        async () =>
          (await sql`select from email_templates where seller_id = ${seller.id} and simple is null`)
            .length === 1,
        { what: "the HTML to be saved" },
      );
      // Until the page shows this save, and no longer the one before.
      await expect.poll(version).not.toBe(before);
      expect(await page.getByLabel("HTML", { exact: true }).isChecked()).toBe(true);
      await page.getByLabel("Editor simples").check();
      await page.getByText("Salvar no editor simples o substitui.").waitFor();
      // Only looking at it leaves the HTML as it is, saved or not.
      const html = page.getByLabel("Conteúdo (HTML)");
      if (javaScript) await untilPreviewed(page, "Pagamento aprovado");
      await page.getByLabel("HTML", { exact: true }).check();
      expect(await html.inputValue()).toBe('<a href="{product_file_url}">Meu HTML</a>');
      await html.fill('<a href="{product_file_url}">Ainda não salvo</a>');
      if (javaScript) await untilPreviewed(page, "Ainda não salvo");
      await page.getByLabel("Editor simples").check();
      if (javaScript) await untilPreviewed(page, "Pagamento aprovado");
      await page.getByLabel("HTML", { exact: true }).check();
      expect(await html.inputValue()).toBe('<a href="{product_file_url}">Ainda não salvo</a>');
      allowTroubles(/status of 400/);
    },
  );
}

test("the question about the key closes when it is answered, also where a typed template is not saved", async () => {
  const { seller, page } = await dashboard();
  await makeOwnSender(seller);
  await page.goto("/settings/email");
  await waitForHydration(page);
  await page.getByLabel("Assunto").fill("Chegou o seu acesso");
  await page.getByText("Chegou o seu acesso").waitFor();
  const trigger = page.getByRole("button", { name: "Remover chave" });
  const dialog = page.getByRole("dialog", { name: "Remover a chave do Resend?" });
  const remove = async () => {
    await trigger.click();
    await dialog.getByRole("button", { name: "Remover", exact: true }).click();
  };
  await page.context().setOffline(true);
  await remove();
  await page.getByText("Erro interno. Tente novamente.").waitFor();
  await dialog.waitFor({ state: "hidden" });
  await page.context().setOffline(false);
  await remove();
  await page.getByText("Chave removida: os e-mails saem pela plataforma.").waitFor();
  await dialog.waitFor({ state: "hidden" });
  await trigger.waitFor({ state: "detached" });
  expect(await page.getByLabel("Assunto").inputValue()).toBe("Chegou o seu acesso");
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

test("without JavaScript a domain is managed manually", async () => {
  const { seller, page } = await dashboard({ javaScript: false });
  await page.goto("/settings/email?tab=domain");
  await page.getByLabel("Domínio", { exact: true }).fill("minhaloja.com.br");
  await page.getByLabel("Domínio verificado").check();
  await page.getByLabel("Registro SPF").fill("v=spf1 include:amazonses.com ~all");
  await page.getByRole("button", { name: "Salvar domínio" }).click();
  await page.getByText("Configurações de domínio salvas com sucesso!").waitFor();
  const [row] = await sql`select * from email_domains where seller_id = ${seller.id}`;
  expect(row).toMatchObject({ domain_name: "minhaloja.com.br", status: "manual" });
  expect(row!.verified_at).not.toBeNull();
  expect(await page.getByLabel("Domínio verificado").isChecked()).toBe(true);
});

for (const javaScript of oneScript(false)) {
  longTest(
    `a test mail arrives, and a refusal leads to the domain, ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript });
      await page.goto("/settings/email");
      const to = `teste-${javaScript}@exemplo.com.br`;
      await page.getByLabel("E-mail para teste").fill(to);
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText("Email de teste enviado com sucesso!").waitFor();
      await until(async () => (await app.sandbox.emails(to)).length === 1);
      await sql`insert into email_templates (seller_id, sender_name, sender_email, subject, html_content)
      values (${seller.id}, 'Loja', 'oi@sem-verificar.com.br', 'Oi', '<p>{product_file_url}</p>')`;
      await page.goto("/settings/email");
      await page.getByRole("textbox", { name: "Chave do Resend" }).fill("re_outra-conta");
      await page.getByRole("button", { name: "Salvar", exact: true }).click();
      await page.getByText("Configurações de email salvas com sucesso!").waitFor();
      await page.getByLabel("E-mail para teste").fill(to);
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText("O domínio sem-verificar.com.br ainda não foi verificado").waitFor();
      await page.getByRole("link", { name: "Ver planos do Resend" }).waitFor();
      await page.getByRole("link", { name: "Configurar domínio" }).click();
      await page.getByRole("button", { name: "Criar domínio no Resend" }).waitFor();
    },
  );

  longTest(
    `the preview names the shop as its mails do, and the test mail contains what is typed ${javaScript ? "with" : "without"} JavaScript`,
    async () => {
      const { seller, page } = await dashboard({ javaScript });
      await sql`insert into checkout_customizations (seller_id, version, settings)
      values (${seller.id}, 1, '{"brand_name": "Estúdio Aurora"}')`;
      await page.goto("/settings/email");
      await untilPreviewed(page, "Estúdio Aurora");
      const to = `escrito-${javaScript}@exemplo.com.br`;
      await page.getByLabel("Assunto").fill("Ainda não salvo");
      await page.getByLabel("E-mail para teste").fill(to);
      await page.getByRole("button", { name: "Enviar teste" }).click();
      await page.getByText("Email de teste enviado com sucesso!").waitFor();
      await until(async () => (await app.sandbox.emails(to)).length === 1);
      const [mail] = await app.sandbox.emails(to);
      expect(mail!.body.subject).toBe("[Teste] Ainda não salvo");
      expect(mail!.body.html).toContain("Estúdio Aurora");
      expect(await sql`select 1 from email_templates where seller_id = ${seller.id}`).toEqual([]);
    },
  );

  test(`reminders are changed and switched off ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const { seller, page } = await dashboard({ javaScript });
    await page.goto("/settings/email");
    expect(await page.getByLabel("1º lembrete").inputValue()).toBe("15");
    await page.getByLabel("1º lembrete").selectOption("60");
    await page.getByLabel("3º lembrete").selectOption("");
    await page.getByRole("button", { name: "Salvar lembretes" }).click();
    await page.getByText("Lembretes salvos com sucesso!").waitFor();
    const read = () => sql`select reminder_minutes from mail_settings where seller_id = ${seller.id}`;
    expect((await read())[0]!.reminder_minutes).toEqual([60, 120]);
    expect(await page.getByLabel("2º lembrete").inputValue()).toBe("120");
    await page.getByLabel("1º lembrete").selectOption("");
    await page.getByLabel("2º lembrete").selectOption("");
    await page.getByRole("button", { name: "Salvar lembretes" }).click();
    await until(async () => (await read())[0]!.reminder_minutes.length === 0);
  });

  test(`a buyer stops the reminders by the link ${javaScript ? "with" : "without"} JavaScript`, async () => {
    const { seller } = await dashboard();
    const sale = await makeSale(await makeProduct(seller));
    const page = await openPage({ url: app.url, javaScript, width: 360 });
    await page.goto(stopLinkTo(sale.id, sale.customerEmail!).path);
    const count = () => sql`select count(*)::int as n from reminder_opt_outs where seller_id = ${seller.id}`;
    expect((await count())[0]!.n).toBe(0);
    await expectNoSeriousAxe(page);
    await savePicture(page, `stop-reminders-${javaScript ? "js" : "plain"}`);
    await page.getByRole("button", { name: "Parar de receber lembretes" }).click();
    await page.getByRole("heading", { name: "Pronto" }).waitFor();
    expect((await count())[0]!.n).toBe(1);
  });
}

test("a mail program stops the reminders with one POST from anywhere, without cookies", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller));
  const answer = await app.fetch(stopLinkTo(sale.id, sale.customerEmail!).path, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "cross-site", Origin: "https://mail.example.com" },
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  expect(answer.status).toBe(200);
  const [row] = await sql`select count(*)::int as n from reminder_opt_outs where seller_id = ${seller.id}`;
  expect(row!.n).toBe(1);
});

longTest("the screens in the dark", async () => {
  const { page } = await dashboard({ dark: true });
  for (const tab of ["", "?tab=domain", "?tab=anti-spam"]) {
    await page.goto(`/settings/email${tab}`);
    await page.getByRole("heading", { name: "E-mail", exact: true }).waitFor();
    await savePicture(page, `email-dark-${tab.slice(5) || "template"}`);
  }
});
