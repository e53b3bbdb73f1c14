import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { createPurchaseKey } from "#app/domain/sale/purchase-key.server.ts";
import { watchPlans } from "#tests/integration/database/watch-plans.ts";
import { CLOCKED } from "#tests/integration/harness/big-shop.ts";
import { startApp } from "#tests/support/app.ts";
import { sellOne } from "#tests/support/clients/sold-through.ts";
import { sql } from "#tests/support/database.ts";
import { makeBump, makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";
import { partitionBySeller } from "#tests/support/partitions/by-seller.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { makeWebhook } from "#tests/support/rows/make-webhook.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const BUYER = "bia@exemplo.com.br";

/**
 * The look-ups listed in docs/scale.md, each with a part of its statement; `start … part` names its beginning, too. Whether
 * some are made depends on what is faster, the payment or the mail with its code: 'not in every run'.
 */
function listed(): { fragment: string; isOf: (statement: string) => boolean; isCertain: boolean }[] {
  const [, section] = readFileSync("docs/scale.md", "utf8").split("## Partitions by seller");
  const rows = section!.slice(0, section!.indexOf("\n## ")).matchAll(/^\|.*\| (`.*`) \|$/gm);
  return [...rows].flatMap(([row, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, fragment = ""]) => {
      const [start = "", inside = ""] = fragment.includes(" … ") ? fragment.split(" … ") : ["", fragment];
      return {
        fragment,
        isOf: (statement: string) => statement.startsWith(start) && statement.includes(inside),
        isCertain: !row.includes("not in every run"),
      };
    }),
  );
}

longTest(
  "partitioned by seller, a purchase and the pages read one partition, but for the listed look-ups",
  async () => {
    expect(await partitionBySeller(sql)).toContain("charges");
    const seenSoFar = await watchPlans();
    const app = await startApp({ env: { LOG_LEVEL: "info" } });
    const seller = await makeSeller();
    await makeGateway(seller);
    await makeWebhook(seller, { name: "told" });
    const product = await makeProduct(seller, { checkoutSlug: "curso" });
    await makeBump(product);
    await sellOne(app, product.id, BUYER);
    const isAllSent = async () => {
      const waiting = await sql`select from mails where status = 'attempting'
      union all select from deliveries where status = 'queued'`;
      return waiting.length === 0;
    };
    await until(isAllSent, { what: "mails and deliveries to be sent" });
    const [sale] = await sql`select id from sales`;
    const headers = await signedIn(seller);
    const values = { slug: "curso", productId: String(product.id), saleId: sale!.id, provider: "pushinpay" };
    for (const { address, file } of await routeTable()) {
      // An event stream sends nothing until something happens; others that do are given up.
      if (/events|stream/.test(file)) continue;
      const signal = AbortSignal.timeout(5000);
      const answer = await app.fetch(fillAddress(address, values), { headers, signal }).catch(() => null);
      expect(answer?.status ?? 0, address).toBeLessThan(500);
      await answer?.body?.cancel();
      if (!address.includes(":saleId")) continue;
      // As a buyer opens it by a mailed link.
      const link = `${fillAddress(address, values)}?chave=${encodeURIComponent(createPurchaseKey(sale!.id, BUYER))}`;
      await (await app.fetch(link, { signal }).catch(() => null))?.body?.cancel();
    }
    for (const job of CLOCKED)
      await sql`select graphile_worker.add_job(${job}, ${JSON.stringify({ kind: "weekly", sellerId: "" })}::json, job_key => ${`${job}-now`})`;
    const isAllDone = async () =>
      (await sql`select from graphile_worker.jobs where key like '%-now'`).length === 0;
    await until(isAllDone, { what: "the jobs of the clock to end" });
    const { statements, crossings } = await seenSoFar();
    expect(statements.length).toBeGreaterThan(100);
    const all = listed();
    const notListed = crossings.filter(({ statement }) => !all.some(({ isOf }) => isOf(statement)));
    expect(notListed, "statements that read several partitions and are not in docs/scale.md").toEqual([]);
    const unused = all.filter(({ isOf, isCertain }) => isCertain && !statements.some(isOf));
    expect(
      unused.map(({ fragment }) => fragment),
      "look-ups in docs/scale.md that no statement makes",
    ).toEqual([]);
  },
);
