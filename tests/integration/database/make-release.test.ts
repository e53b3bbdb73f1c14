import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sendPortalLink } from "#app/domain/buyer/send-portal-link.server.ts";
import { requestRefund } from "#app/domain/refund/request/request-refund.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { startNextUpsell } from "#app/domain/upsell/start-next-upsell.server.ts";
import { env } from "#app/platform/env.server.ts";
import { writeBackup } from "#scripts/backup/write-backup.ts";
import { seed } from "#scripts/seed.ts";
import { BASELINE, hashOf, RELEASE } from "#tests/integration/database/open-release.ts";
import { makeThings } from "#tests/integration/isolation-table.ts";
import { startApp } from "#tests/support/app.ts";
import { order, sellOne } from "#tests/support/clients/sold-through.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer } from "#tests/support/make.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeOwnSender } from "#tests/support/rows/make-mail.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { until } from "#tests/support/until.ts";

/** Sales of the demo that are kept, of each status. */
const KEPT = 4;

/**
 * Writes what `upgrade.test.ts` begins with, until 1.0 is released: `MAKE_RELEASE=1 npm test -- database/make-release`. The
 * demo shop with a few of its sales, another shop with one of everything, and what buyers do while the app runs. At the end
 * no worker runs, so that mails and deliveries wait.
 */
test.runIf(process.env.MAKE_RELEASE)("the tables and rows of a release", async () => {
  const app = await startApp();
  await seed();
  await sql`delete from sales where coalesce(parent_sale_id, id) not in (
    select id from (select id, row_number() over (partition by status order by created_at desc) as n from sales
      where parent_sale_id is null) s where n <= ${KEPT})`;
  // The figures of these alone.
  await sql`delete from report_marks`;
  await sql`delete from funnel_marks`;
  await sql`delete from funnel_views where day < current_date - 2`;
  await sql`update sales set amount_cents = amount_cents`;
  await sql`insert into funnel_marks (seller_id, day)
    select distinct seller_id, (created_at at time zone 'America/Sao_Paulo')::date from sales`;
  const [product] =
    (await sql`select id, seller_id from products where checkout_slug = 'curso-de-violao'`) as [
      { id: string; seller_id: string },
    ];
  const seller = { id: product.seller_id };
  await makePixel(seller, "meta");
  await makeCoupon(seller);
  await makeOffer({ id: Number(product.id), sellerId: seller.id });
  await makeMemberArea(seller, "memberkit");
  await makeTracking(seller);
  const { seller: neighbour } = await makeThings("loja ao lado");
  await makeOwnSender(neighbour);
  await sql`insert into reminder_opt_outs (seller_id, email_hash) values (${seller.id}, ${randomUUID()})`;
  await sellOne(app, product.id, "compradora@exemplo.com.br");
  await sellOne(app, product.id, "devolvida@exemplo.com.br");
  const bought = async (email: string) =>
    (await sql`select id from sales where customer_email = ${email}`)[0]!.id as string;
  const saleId = await bought("compradora@exemplo.com.br");
  await startNextUpsell({ sellerId: seller.id, saleId, productId: Number(product.id) });
  await requestRefund(
    "devolvida@exemplo.com.br",
    await bought("devolvida@exemplo.com.br"),
    "Comprei por engano",
  );
  await sendPortalLink("compradora@exemplo.com.br");
  await app.fetch("/forgot-password", {
    method: "POST",
    body: new URLSearchParams({ email: "vendedor@exemplo.com.br" }),
  });
  await refreshReports.handle({}, { number: 1, last: false });
  await until(
    async () =>
      (await sql`select 1 from mails where status = 'attempting'`).length === 0 &&
      (await sql`select 1 from deliveries where status = 'queued' and attempts = 0`).length === 0,
    { what: "what was queued to be sent" },
  );
  for (const worker of app.worker) await worker.kill();
  await order(app.url, product.id, "espera@exemplo.com.br");
  const packed = join(mkdtempSync(join(".cache", "release-")), "rows.gz");
  await writeBackup(process.env.DATABASE_URL!, [env.APP_SECRET], packed);
  const text = gunzipSync(readFileSync(packed)).toString();
  mkdirSync(RELEASE, { recursive: true });
  writeFileSync(`${RELEASE}rows.txt`, text);
  writeFileSync(`${RELEASE}baseline.sha256`, `${hashOf(BASELINE)}\n`);
  const full = [...text.matchAll(/^\{"table":"(\w+)".*\n(?!\\\.$)/gm)].map(([, table]) => table);
  console.info(`${full.length} tables, ${text.length} characters`);
  expect(full.length).toBeGreaterThan(40);
});
