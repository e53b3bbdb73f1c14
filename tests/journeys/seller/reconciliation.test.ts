import { beforeAll, expect } from "vitest";
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

/** A shop with a day that agrees, one that is to be checked, and one with differences, in October. */
async function makeShop() {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { name: "Curso de Violão" });
  const pay = async (day: string, hour: number, charge: Parameters<typeof makeCharge>[1] = {}) => {
    const at = new Date(`2026-10-${day}T${hour}:00:00-03:00`);
    const sale = await makeSale(product, {
      status: "completed",
      createdAt: at,
      completedAt: at,
      customerName: "Ana Lima",
    });
    return makeCharge(sale, {
      status: "paid",
      paidAt: at,
      paidCents: sale.amountCents,
      feeCents: 35,
      ...charge,
    });
  };
  const agreeing = [await pay("05", 10), await pay("05", 11)];
  await pay("06", 10);
  await pay("06", 11, { feeCents: null });
  const [unknown, returned] = [await pay("07", 10), await pay("07", 11)];
  const mismatched = await makeSale(product, {
    createdAt: new Date("2026-10-07T15:00:00Z"),
    customerName: "Bia Souza",
  });
  const wrong = await makeCharge(mismatched, {
    ...{ status: "mispaid", paidAt: new Date("2026-10-07T15:00:00Z"), paidCents: 5000 },
  });
  const answer = (id: string, state: string) => sql`with checked as (
      update charges set last_checked_at = paid_at + interval '20 hours' where id = ${id} returning *)
    insert into charge_events (charge_id, seller_id, kind, data, cause, at)
    select id, seller_id, 'asked', ${sql.json({ state, word: state, tookMs: 90 })}, 'system', last_checked_at from checked`;
  for (const { id } of [...agreeing, returned!, wrong]) await answer(id, "paid");
  await answer(unknown!.id, "unknown");
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin, ended_at)
    select id, seller_id, 2000, 'done', 'observed', now() from charges where id = ${returned!.id}`;
  return { seller };
}

for (const { width, javaScript } of oneWay(true)) {
  const how = `${width}-${javaScript ? "js" : "plain"}`;

  longTest(
    `a month is reconciled day by day, and what is left is checked by one press (${how})`,
    async () => {
      const { seller } = await makeShop();
      // What is scheduled stays to be seen.
      await sql`update gateway_accounts set next_paced_check_at = now() + interval '1 hour' where seller_id = ${seller.id}`;
      const page = await openPage({
        url: app.url,
        cookie: (await signedIn(seller)).Cookie,
        width,
        javaScript,
      });
      const view = async (name: string) => {
        await expectNoSidewaysScroll(page);
        await expectNoSeriousAxe(page);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await savePicture(page, `reconciliation-${name}-${how}-${colorScheme}`);
        }
        await page.emulateMedia({ colorScheme: null });
      };
      await page.goto("/reports");
      await waitForHydration(page);
      await page.getByRole("link", { name: "Conciliação" }).click();
      await page.getByText(/^Nenhum pagamento em /).waitFor();
      await view("empty");

      await page.goto("/reports/conciliacao?month=2026-10");
      await waitForHydration(page);
      const result = page.getByRole("region", { name: "Resultado" });
      await result.getByText("2 diferenças, de R$ 147,00. Faltam conferir 2 de 7 pagamentos.").waitFor();
      await result.getByText("2 pagamentos estão sem taxa informada").first().waitFor({ state: "attached" });
      for (const title of [
        "Pagou outro valor",
        "O provedor não conhece este pagamento",
        "Devolvido no provedor, sem pedido por aqui",
      ])
        await page.getByText(title, { exact: true }).waitFor();
      await view("month");

      await page.getByRole("link", { name: "05/10/2026" }).click();
      await result.getByText("Tudo confere: 2 vendas, R$ 0,00 de diferença.").waitFor();
      expect(await page.getByRole("button", { name: "Conferir agora" }).count()).toBe(0);
      await view("checked");

      await page.getByRole("link", { name: "06/10/2026" }).click();
      await result.getByText("Faltam conferir 2 de 2 pagamentos.").waitFor();
      for (let twice = 0; twice < 2; twice++) {
        await page.getByRole("button", { name: "Conferir agora" }).click();
        await page.getByText("Vamos perguntar ao provedor por 2 pagamentos, um de cada vez.").waitFor();
        await result.getByText("2 estão na fila").waitFor();
        const scheduled = await sql`select charge_id from paced_checks where seller_id = ${seller.id}`;
        expect(scheduled).toHaveLength(2);
      }
      await view("scheduled");

      await page.getByRole("link", { name: "Ver o mês todo" }).click();
      await page.getByRole("link", { name: "Abrir a venda de Bia Souza" }).click();
      await page.getByRole("heading", { name: /^Detalhes da Venda/ }).waitFor();
    },
  );
}
