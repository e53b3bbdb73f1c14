import { beforeAll, expect } from "vitest";
import { mailedToken } from "#tests/integration/buyer/support.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoAxe,
  expectNoSidewaysScroll,
  fillCheckout,
  openPage,
  savePicture,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeMail } from "#tests/support/rows/make-mail.ts";
import { testInTurn } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;
beforeAll(async () => {
  app = await sharedApp();
});

const ways = [
  { width: 360, javaScript: true, dark: false },
  { width: 360, javaScript: false, dark: true },
];

for (const [at, { width, javaScript, dark }] of ways.entries()) {
  const it = testInTurn(at);
  const how = `at ${width} px ${javaScript ? "with" : "without"} JavaScript`;
  const shot = (name: string) => `${name}-${width}-${javaScript ? "js" : "plain"}`;

  it(`a buyer finds all their purchases by a mail, sends the access again and leaves, ${how}`, async () => {
    const email = `bia-${width}-${javaScript}@exemplo.com.br`;
    const seller = await makeSeller({ company: "Escola de Violão" });
    const product = await makeProduct(seller, { fileUrl: null });
    const [content] = await sql<{ id: string }[]>`
      insert into contents (seller_id, product_id) values (${seller.id}, ${product.id}) returning id`;
    await sql`insert into content_items (content_id, seller_id, kind, name, html)
      values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'text', 'Comece por aqui', '<p>Bem-vinda</p>')`;
    const sale = await makeSale(product, { status: "completed", customerEmail: email });
    await makeSale(await makeProduct(seller, { name: "Curso de Baixo" }), {
      status: "refunded",
      customerEmail: email,
      refundedCents: 9700,
    });
    const other = await makeSeller({ company: "Ateliê da Lu" });
    await makeSale(await makeProduct(other, { name: "Aquarela em casa" }), {
      status: "completed",
      customerEmail: email,
    });
    await makeMail({ recipient: email, saleId: sale.id, sellerId: seller.id });
    await until(
      async () => (await sql`select 1 from mails where sale_id = ${sale.id} and status = 'sent'`).length,
    );

    const page = await openPage({ url: app.url, width, javaScript, dark });
    await page.goto("/minhas-compras");
    await page.getByLabel("E-mail da compra").fill(email);
    await page.getByRole("button", { name: "Receber o link" }).click();
    await page.getByRole("heading", { name: "Confira o seu e-mail" }).waitFor();
    await page.goto(`/minhas-compras/entrar/${await mailedToken(email)}`);
    await page.getByRole("button", { name: "Ver minhas compras" }).click();
    await page.getByRole("heading", { name: "Escola de Violão" }).waitFor();
    await page.getByRole("heading", { name: "Ateliê da Lu" }).waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("purchases"));
    if (javaScript) await expectNoAxe(page);

    await page.getByRole("link", { name: "Comece por aqui" }).click();
    await page.getByText("Bem-vinda").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Recibo e e-mails de Curso de Violão" }).click();
    await page.getByRole("heading", { name: "Recibo" }).waitFor();
    // The provider may have reported by now that it arrived.
    await page.getByText(/^(enviado|entregue)$/).waitFor();
    await page.getByRole("button", { name: "Enviar o acesso de novo" }).click();
    await page.getByText(`Estamos enviando o acesso para ${email}`).waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("receipt"));
    if (javaScript) await expectNoAxe(page);
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(printed.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);

    await page.getByRole("link", { name: "Minhas compras", exact: true }).first().click();
    await page.getByRole("button", { name: "Sair" }).click();
    await page.getByRole("button", { name: "Receber o link" }).waitFor();
  });

  it(`a buyer corrects a mistyped e-mail before paying, and once more after it, ${how}`, async () => {
    const seller = await makeSeller();
    await makeGateway(seller);
    const product = await makeProduct(seller);
    const page = await openPage({ url: app.url, width, javaScript, dark });
    await page.goto(`/checkout/${product.id}`);
    await fillCheckout(page, { email: `errada-${width}-${javaScript}@exemplo.com.br` });
    await page.getByRole("button", { name: "Comprar Agora" }).click();
    await page.waitForURL("**/checkout/pix/**");
    const saleId = page.url().split("/").at(-1)!;
    await page.getByRole("link", { name: "Corrigir e-mail" }).scrollIntoViewIfNeeded();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("pix-mail"));
    await page.getByRole("link", { name: "Corrigir e-mail" }).click();
    const first = `certa-${width}-${javaScript}@exemplo.com.br`;
    await page.getByLabel("E-mail correto").fill(first);
    await savePicture(page, shot("correct-email"));
    if (javaScript) await expectNoAxe(page);
    await page.getByRole("button", { name: "Corrigir e-mail" }).click();
    await page.getByRole("heading", { name: "E-mail corrigido" }).waitFor();
    await page.getByRole("link", { name: "Voltar ao pagamento" }).click();
    await page.getByText(first).waitFor();

    const [charge] = await sql`select provider_id from charges where sale_id = ${saleId}`;
    await app.sandbox.pay(charge!.provider_id);
    await until(
      async () =>
        (await sql`select 1 from mails where sale_id = ${saleId} and kind = 'purchase' and status = 'sent'`)
          .length,
      { what: "the access to be mailed" },
    );
    await page.goto(`/thank-you/${saleId}`);
    await page.getByText(first).waitFor();
    await expectNoSidewaysScroll(page);
    await savePicture(page, shot("thanks-mail"));
    if (javaScript) await expectNoAxe(page);
    await page.getByRole("link", { name: "E-mail errado? Corrigir" }).click();
    const second = `outra-${width}-${javaScript}@exemplo.com.br`;
    await page.getByLabel("E-mail correto").fill(second);
    await page.getByRole("button", { name: "Corrigir e-mail" }).click();
    await page.getByText(`Estamos enviando o acesso para ${second}`).waitFor();
    await page.getByRole("link", { name: "Voltar à minha compra" }).click();
    await page.getByText(second).waitFor();
    const mailStates =
      await sql`select kind, recipient from mails where sale_id = ${saleId} and kind in ('access', 'email-corrected')`;
    expect(mailStates).toEqual(
      expect.arrayContaining([
        { kind: "access", recipient: second },
        { kind: "email-corrected", recipient: first },
      ]),
    );
  });
}
