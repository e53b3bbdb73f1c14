import { beforeAll } from "vitest";
import { paths } from "#app/kit/paths.ts";
import { type App, sharedApp } from "#tests/support/app.ts";
import {
  expectNoSeriousAxe,
  expectNoSidewaysScroll,
  openPage,
  savePicture,
  waitForHydration,
} from "#tests/support/clients/browser.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { longTest, oneWay } from "#tests/support/run/ways.ts";

let app: App;

beforeAll(async () => {
  app = await sharedApp();
});

/** A shop with two payments on a day whose statement was read: it has one of them, and others of another system. */
async function makeShop() {
  const seller = await makeSeller();
  const { keyId } = await makeGateway(seller, { provider: "mercadopago" });
  const product = await makeProduct(seller);
  const pay = async (hour: number, customerName: string, feeCents: number | null) => {
    const at = new Date(`2026-10-05T${hour}:00:00-03:00`);
    const sale = await makeSale(product, {
      ...{ status: "completed", createdAt: at, completedAt: at, customerName, feeCents },
    });
    const charge = await makeCharge(sale, {
      ...{ provider: "mercadopago", gatewayKeyId: keyId, status: "paid", createdAt: at, paidAt: at },
      ...{ paidCents: sale.amountCents, feeCents },
    });
    return { sale, charge };
  };
  const there = await pay(10, "Ana Lima", 96);
  await pay(11, "Bia Souza", null);
  await sql`insert into statements (seller_id, provider, day, key_id, read_at, other_payments)
    values (${seller.id}, 'mercadopago', '2026-10-05', ${keyId}, now(), 12)`;
  await sql`insert into statement_lines (seller_id, charge_id, kind, at, amount_cents, fee_cents, source_id)
    values (${seller.id}, ${there.charge.id}, 'payment', ${there.charge.paidAt!}, 9700, 96, '1')`;
  return { seller };
}

for (const { width, javaScript } of oneWay(true)) {
  const how = `${width}-${javaScript ? "js" : "plain"}`;

  longTest(
    `a day is compared with the provider's statement, whose fees are those of its sales (${how})`,
    async () => {
      const { seller } = await makeShop();
      const page = await openPage({
        url: app.url,
        cookie: (await signedIn(seller)).Cookie,
        width,
        javaScript,
      });
      const view = async (name: string) => {
        await expectNoSidewaysScroll(page);
        await expectNoSeriousAxe(page);
        await savePicture(page, `statement-${name}-${how}`);
      };
      await page.goto("/reports/conciliacao?month=2026-10&day=2026-10-05");
      await waitForHydration(page);
      const result = page.getByRole("region", { name: "Resultado" });
      await result.getByText("1 diferença, de R$ 97,00. Falta conferir 1 de 2 pagamentos.").waitFor();
      await result.getByText("O extrato do provedor deste dia foi lido.").waitFor();
      await result.getByText("há 12 pagamentos de outros sistemas da mesma conta").waitFor();
      await page.getByText("Não está no extrato do provedor", { exact: true }).waitFor();
      await view("day");

      await page.getByRole("link", { name: "Abrir a venda de Bia Souza" }).click();
      await page.getByText("ainda não informada").waitFor();
      await page.getByText("Líquido (ainda sem a taxa)").waitFor();
      await view("without-fee");
      const [known] = await sql`select id from sales where seller_id = ${seller.id} and fee_cents = 96`;
      await page.goto(paths.sale(known!.id));
      await page.getByText("Taxa do provedor", { exact: true }).waitFor();
      await page.getByText("-R$ 0,96").waitFor();
      await page.getByText("R$ 96,04").waitFor();
      await view("with-fee");

      await page.goto("/reports?range=90d");
      await page
        .getByText("Taxas informadas: R$ 0,96; falta a de 1 venda.")
        .first()
        .waitFor({ state: "attached" });
    },
  );
}
