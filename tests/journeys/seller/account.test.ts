import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
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
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay, type Way } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
const PASSWORD = "senha-de-teste-1";

beforeAll(async () => {
  app = await sharedApp();
  await app.sandbox.identity({ persona: null });
});

const label = ({ width, javaScript }: Way) => `${width}-${javaScript ? "js" : "plain"}`;

test.each(oneWay(false))(
  "a seller signs in, edits the account and leaves at $width px (JavaScript: $javaScript)",
  async (way) => {
    const seller = await makeSeller({ passwordHash: await hashPassword(PASSWORD) });
    const page = await openPage({ url: app.url, ...way });
    const screenshot = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      await savePicture(page, `${name}-${label(way)}`);
    };

    await page.goto("/settings?tab=perfil");
    await page.getByRole("heading", { name: "Entrar" }).waitFor();
    await page.getByLabel("E-mail").fill(seller.email);
    await page.getByLabel("Senha", { exact: true }).fill("errada-errada");
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    await page.getByRole("alert").getByText("E-mail ou senha incorretos").waitFor();
    allowTroubles(/401/);
    expect(await page.getByLabel("E-mail").inputValue()).toBe(seller.email);
    await screenshot("login-error");
    await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Entrar", exact: true }).click();

    await page.getByRole("heading", { name: "Configurações" }).waitFor();
    await page.getByLabel("Nome").fill("Vera das Vendas");
    await page.getByLabel("Telefone (opcional)").fill("11 98765-4321");
    await page.getByRole("button", { name: "Salvar perfil" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    expect(await page.getByLabel("Telefone (opcional)").inputValue()).toBe("(11) 98765-4321");
    await screenshot("settings-profile");

    await page.getByRole("link", { name: "Notificações" }).click();
    await page.getByLabel("Relatório mensal").uncheck();
    await page.getByRole("button", { name: "Salvar notificações" }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    expect(await page.getByLabel("Relatório mensal").isChecked()).toBe(false);
    expect(await page.getByLabel("Nova venda").isChecked()).toBe(true);
    await screenshot("settings-notifications");

    await page.getByRole("link", { name: "Segurança" }).click();
    await page.getByLabel("Nome da chave").fill("Planilha de vendas");
    await page.getByRole("button", { name: "Gerar Nova API Key" }).click();
    await page.getByText(/^ck_[\w-]{43}$/).waitFor();
    await screenshot("settings-security");
    await page.getByRole("button", { name: "Revogar Planilha de vendas" }).click();
    await page.getByRole("heading", { name: "Revogar a chave Planilha de vendas?" }).waitFor();
    await screenshot("settings-dialog");
    await page.getByRole("button", { name: "Revogar chave" }).click();
    await page.getByText("Chave revogada").waitFor();
    await page.getByText("Nenhuma chave ainda.").waitFor();

    if (!way.javaScript) {
      // It would discard what is typed here.
      expect(await page.getByRole("button", { name: "Usar tema escuro" }).isVisible()).toBe(false);
      await page.goto("/dashboard");
    }
    await page.getByRole("button", { name: "Usar tema escuro" }).click();
    await page.locator("html[data-theme=escuro]").waitFor();
    await page.getByRole("button", { name: "Usar tema claro" }).waitFor();
    if (!way.javaScript) await page.goto("/settings?tab=seguranca");
    await savePicture(page, `settings-dark-${label(way)}`);

    if (way.width < 600) {
      await page.locator("summary", { hasText: "Menu" }).click();
      await savePicture(page, `drawer-${label(way)}`);
    }
    const current = page.getByRole("navigation", { name: way.width < 600 ? "Menu" : "Principal" });
    expect(await current.getByRole("link", { name: "Configurações" }).getAttribute("aria-current")).toBe(
      "page",
    );
    if (way.width < 600) await page.locator("summary", { hasText: "Menu" }).click();
    await page.getByRole("button", { name: "Sair" }).click();
    await page.getByRole("heading", { name: "Entrar" }).waitFor();
    await page.goto("/settings");
    await page.getByRole("heading", { name: "Entrar" }).waitFor();
  },
);

test.each(oneWay(true))(
  "a seller registers, confirms and gets a new password at $width px (JavaScript: $javaScript)",
  async (way) => {
    const email = `nina-${randomUUID()}@exemplo.com.br`;
    const page = await openPage({ url: app.url, ...way });
    const screenshot = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      await savePicture(page, `${name}-${label(way)}`);
    };
    const openLink = async (path: string) => {
      const mail = await until(async () =>
        (await app.sandbox.emails(email)).find((m) => m.body.html?.includes(path)),
      );
      await page.goto(new RegExp(`${path}/[\\w-]+`).exec(mail.body.html!)![0]);
    };

    await page.goto("/register");
    await page.getByRole("button", { name: "Criar conta" }).click();
    await page.getByText("Nome é obrigatório").first().waitFor();
    allowTroubles(/400/);
    await screenshot("register-errors");
    await page.getByLabel("Nome completo").fill("Nina Nova");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Confirmar senha").fill(PASSWORD);
    if (way.javaScript) {
      await page.getByRole("button", { name: "Mostrar senha" }).click();
      expect(await page.getByLabel("Senha", { exact: true }).getAttribute("type")).toBe("text");
    }
    await page.getByRole("button", { name: "Criar conta" }).click();
    await page.getByRole("heading", { name: "Conta criada com sucesso!" }).waitFor();
    await page.getByText(email).waitFor();
    await screenshot("register-done");
    await page.getByRole("link", { name: "Ir para o login" }).click();

    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    await page.getByText("Confirme seu e-mail antes de entrar").waitFor();
    allowTroubles(/403/);
    await screenshot("login-unconfirmed");
    await page.getByRole("button", { name: "Enviar o link de novo" }).click();
    await page.getByText("o link está a caminho").waitFor();
    await openLink("/confirm-email");
    await page.getByRole("heading", { name: "Confirme seu e-mail" }).waitFor();
    await screenshot("confirm");
    await page.getByRole("button", { name: "Confirmar e-mail" }).click();
    await page.getByText("E-mail confirmado. Boas-vindas à Checkintelli!").waitFor();
    await page.getByText("1 de 5 feitos").waitFor();
    await screenshot("confirmed");

    await page.goto("/forgot-password");
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("button", { name: "Enviar link" }).click();
    await page.getByText("o link está a caminho").waitFor();
    await openLink("/reset-password");
    await page.getByLabel("Nova senha", { exact: true }).fill("outra-senha-2");
    await page.getByLabel("Confirmar nova senha").fill("outra-senha-2");
    await screenshot("reset");
    await page.getByRole("button", { name: "Salvar senha" }).click();
    await page.getByText("Senha alterada. Entre com a nova senha.").waitFor();
  },
);

test.each(oneWay(false))(
  "the identity provider opens the dashboard at $width px (JavaScript: $javaScript)",
  async (way) => {
    const page = await openPage({ url: app.url, ...way });
    await page.goto("/settings");
    await page.getByRole("button", { name: "Continuar com o provedor de identidade" }).click();
    await page.getByRole("button", { name: /Conta nova/ }).click();
    await page.getByRole("heading", { name: "Configurações" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings");
  },
);

test.each(oneWay(true))(
  "after ten minutes a payment key waits for the password and is saved as typed at $width px (JavaScript: $javaScript)",
  async (way) => {
    const seller = await makeSeller({ passwordHash: await hashPassword(PASSWORD) });
    const { Cookie } = await signedIn(seller);
    await createApiKey(seller.id, { name: "Planilha", scopes: ["read", "sales"] });
    await openSession(seller.id, {
      ip: "203.0.113.7",
      userAgent: "Mozilla/5.0 (iPhone) Version/18 Safari/604.1",
    });
    const page = await openPage({ url: app.url, cookie: Cookie, ...way });
    const screenshot = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      await savePicture(page, `${name}-${label(way)}`);
    };

    await sql`update sessions set authenticated_at = now() - interval '11 minutes' where seller_id = ${seller.id}`;
    await page.goto("/settings?tab=gateways");
    await page.getByLabel("Receber por PIX com a PushinPay").check();
    await page.getByLabel("API Key", { exact: true }).fill("7|sandbox-Vera");
    await page.getByRole("button", { name: "Salvar configurações" }).click();
    await page.getByRole("heading", { name: "Confirme que é você" }).waitFor();
    await page.getByText("Para mudar as configurações de pagamento").waitFor();
    await screenshot("confirm-identity");
    const password = page.getByLabel(`Senha de ${seller.email}`, { exact: true });
    await password.fill("errada-errada");
    await page.getByRole("button", { name: "Confirmar", exact: true }).click();
    await page.getByText("Senha incorreta").waitFor();
    allowTroubles(/401/);
    await password.fill(PASSWORD);
    await page.getByRole("button", { name: "Confirmar", exact: true }).click();
    await page.getByText("Configurações salvas com sucesso!").waitFor();
    await page.getByText("Recebendo pagamentos").waitFor();
    expect(await page.getByLabel("API Key", { exact: true }).inputValue()).toBe("••••••••Vera");

    await page.getByRole("link", { name: "Segurança" }).click();
    await page.getByText("Ler produtos, conteúdos").waitFor();
    await screenshot("settings-keys");
    await page.getByRole("link", { name: "Ver e encerrar tudo o que abre a conta" }).click();
    await page.getByRole("heading", { name: "Acessos à sua conta" }).waitFor();
    await page.getByText("Chave de API: Planilha").waitFor();
    await page.getByText("Sessão: Safari no iPhone").waitFor();
    await screenshot("settings-access");
    await page.getByRole("button", { name: "Encerrar tudo isso" }).click();
    await page.getByText("Pronto: só esta sessão ficou aberta.").waitFor();
    await page.getByText("Nenhuma chave ainda.").waitFor();
  },
);

longTest("without a network the forms of the account stay and state it", async () => {
  const page = await openPage({ url: app.url });
  const email = `sem-rede-${randomUUID()}@exemplo.com.br`;
  await page.goto("/register");
  await waitForHydration(page);
  await page.getByLabel("Nome completo").fill("Sem Rede");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirmar senha").fill(PASSWORD);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await page.getByRole("alert").getByText("Erro interno. Tente novamente.").waitFor();
  expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await page.getByRole("heading", { name: "Conta criada com sucesso!" }).waitFor();

  const seller = await makeSeller();
  const dashboard = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await dashboard.goto("/settings");
  await waitForHydration(dashboard);
  await dashboard.getByLabel("Nome").fill("Outro nome");
  await dashboard.context().setOffline(true);
  await dashboard.getByRole("button", { name: "Salvar perfil" }).click();
  await dashboard.getByRole("alert").getByText("Erro ao salvar configurações").waitFor();
  expect(await dashboard.getByLabel("Nome").inputValue()).toBe("Outro nome");
  await dashboard.context().setOffline(false);
  await dashboard.getByRole("button", { name: "Salvar perfil" }).click();
  await dashboard.getByText("Configurações salvas com sucesso!").waitFor();
  await dashboard.goto("/settings?tab=seguranca");
  await dashboard.getByLabel("Nome da chave").fill("Planilha");
  await dashboard.context().setOffline(true);
  await dashboard.getByRole("button", { name: "Gerar Nova API Key" }).click();
  await dashboard.getByRole("alert").getByText("Erro interno. Tente novamente.").waitFor();
  expect(await dashboard.getByLabel("Nome da chave").inputValue()).toBe("Planilha");
  allowTroubles(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

longTest("a missing identity picture is replaced by the initials", async () => {
  const seller = await makeSeller({ pictureUrl: `${app.url}/nao-existe.png` });
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/dashboard");
  await expect.poll(() => page.getByRole("banner").locator("img").count()).toBe(0);
  allowTroubles(/404/);
});

test.each(oneWay(false))(
  "the site, its terms and its privacy page read well at $width px (JavaScript: $javaScript)",
  async (way) => {
    const page = await openPage({ url: app.url, ...way });
    for (const [path, title] of [
      ["/", "Seu produto digital, vendido por PIX em uma página só"],
      ["/terms", "Termos de uso"],
      ["/privacy", "Política de privacidade"],
      ["/login", "Entrar"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      await savePicture(page, `site-${path.slice(1) || "home"}-${label(way)}`);
    }
  },
);
