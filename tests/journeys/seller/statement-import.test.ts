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
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

let app: App;

beforeAll(async () => {
  app = await sharedApp();
});

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(content),
});

for (const { width, javaScript } of oneWay(false)) {
  const how = `${width}-${javaScript ? "js" : "plain"}`;

  test(`a statement is chosen, its columns assigned, and differences found and scheduled (${how})`, async () => {
    allowTroubles(/status of 400/);
    const seller = await makeSeller();
    await makeGateway(seller);
    const product = await makeProduct(seller);
    const charge = async (fields: Parameters<typeof makeCharge>[1]) =>
      makeCharge(await makeSale(product), fields);
    const [same, differing, missing] = [
      await charge({ status: "paid" }),
      await charge({ status: "paid" }),
      await charge({ status: "paid" }),
    ];
    const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie, width, javaScript });
    const refused = (text: string) => page.getByRole("alert").filter({ hasText: text }).waitFor();
    const view = async (name: string) => {
      await expectNoSidewaysScroll(page);
      await expectNoSeriousAxe(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await savePicture(page, `import-${name}-${how}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: null });
    };
    await page.goto("/reports/import");
    await waitForHydration(page);
    const choose = page.getByLabel("Extrato do provedor");
    const see = page.getByRole("button", { name: "Ver as colunas" });

    await see.click();
    await refused("Escolha um arquivo CSV.");
    await view("nothing");
    for (const [name, content, text] of [
      ["vazio.csv", "", "O arquivo está vazio. Escolha outro."],
      ["planilha.xlsx", Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), "salve-a como CSV"],
      ["texto.csv", "Extrato de novembro\n", "não parece um CSV"],
      ["aspas.csv", 'a,b\n"1,2\n', "há aspas que não fecham"],
    ] as const) {
      await choose.setInputFiles(file(name, content));
      await see.click();
      await refused(text);
    }

    const money = (cents: number) => (cents / 100).toFixed(2).replace(".", ",");
    const day = new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo" }).format(new Date());
    const rows = [
      ["Referência", "Valor", "Situação", "Data"],
      [same.providerId, money(same.amountCents), "Pago", day],
      [differing.providerId, money(differing.amountCents), "Estornado", day],
      ["nao-e-daqui", "10,00", "Pago", day],
    ];
    await choose.setInputFiles(file("extrato.csv", rows.map((row) => row.join(";")).join("\n")));
    await see.click();
    const column = (label: string) => page.getByLabel(label, { exact: true });
    await column("Identificador").waitFor();
    expect(await column("Valor").inputValue()).toBe("1");
    await view("columns");

    // No header names an id: without it nothing is compared, and the assignment stays.
    await column("Data").selectOption("");
    await page.getByLabel("Valores em centavos").check();
    await page.getByRole("button", { name: "Comparar" }).click();
    await refused("Escolha a coluna do identificador.");
    expect(await column("Data").inputValue()).toBe("");
    expect(await column("Valor").inputValue()).toBe("1");
    expect(await page.getByLabel("Valores em centavos").isChecked()).toBe(true);
    expect(await column("Identificador").getAttribute("aria-invalid")).toBe("true");
    const inSight = (what: string) =>
      page.locator(what).evaluateAll(([found]) => {
        if (!found) return false;
        const { top, bottom } = found.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    if (javaScript) await until(() => inSight("#coluna-id:focus"));
    await view("no-column");

    await page.getByLabel("Valores em centavos").uncheck();
    await column("Data").selectOption("3");
    await column("Identificador").selectOption("0");
    await page.getByRole("button", { name: "Comparar" }).click();
    await page.getByText("3 pagamentos no arquivo: 1 igual, 1 diferente, 1 que não é desta conta.").waitFor();
    await page.getByText("Vamos perguntar ao provedor").waitFor();
    if (javaScript) await until(() => inSight("h2:text('Resultado')"));
    for (const [title, id] of [
      ["Diferentes (1)", differing.providerId!],
      ["No arquivo, mas não aqui (1)", "nao-e-daqui"],
      [`Aqui, mas não no arquivo, em ${day} (1)`, missing.providerId!],
    ] as const)
      await page
        .locator("section", { has: page.getByRole("heading", { name: title, exact: true }) })
        .getByText(id, { exact: true })
        .last()
        .waitFor();
    expect(await column("Identificador").inputValue()).toBe("0");
    await view("result");
    const scheduled = await sql`select charge_id from paced_checks where seller_id = ${seller.id}`;
    expect(scheduled).toEqual([{ charge_id: differing.id }]);

    await page.getByRole("link", { name: "Escolher outro arquivo" }).click();
    await choose.waitFor();
  });
}

longTest("without a network the page of a statement stays, with what was chosen in it", async () => {
  allowTroubles(/ERR_INTERNET_DISCONNECTED/);
  const seller = await makeSeller();
  const page = await openPage({ url: app.url, cookie: (await signedIn(seller)).Cookie });
  await page.goto("/reports/import");
  await waitForHydration(page);
  const failed = page.getByRole("alert").filter({ hasText: "Sem conexão: nada foi comparado." });
  const press = (name: string) => page.getByRole("button", { name }).click();
  await page.getByLabel("Extrato do provedor").setInputFiles(file("extrato.csv", "Nome;Valor\nAna;10,00\n"));
  await page.context().setOffline(true);
  await press("Ver as colunas");
  await failed.waitFor();
  await page.context().setOffline(false);
  await press("Ver as colunas");
  const id = page.getByLabel("Identificador", { exact: true });
  await id.selectOption("0");
  await page.context().setOffline(true);
  await press("Comparar");
  await failed.waitFor();
  expect(await id.inputValue()).toBe("0");
  await page.context().setOffline(false);
  await press("Comparar");
  await page.getByText("1 pagamento no arquivo").waitFor();
});
