import { beforeAll, expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { requestPasswordReset } from "#app/domain/identity/email/request-password-reset.server.ts";
import { register } from "#app/domain/identity/register.server.ts";
import { saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { queueSecurityMail } from "#app/domain/mail/queue/queue-security-mail.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSale, markPaid } from "#tests/support/make.ts";
import { mailsWithTexts, opened, renderMails } from "#tests/support/rows/make-mail.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0 });
  await makeMails();
});

/** One of each mail with an action link. */
async function makeMails(): Promise<void> {
  const { seller, product } = await openShop();
  await register({ name: "Nina", email: "nina@exemplo.com.br", password: "senha-nova-1" });
  await requestPasswordReset(seller.email);
  await saveProfile(seller.id, { name: "Vera", email: "novo@exemplo.com.br", phone: null });
  await queueSecurityMail(db, seller.id, { change: "api-key" });
  const { saleId } = await buy(product.id);
  await remindBuyer({ saleId, number: 1, since: new Date() });
  const paid = await makeSale(product);
  await markPaid(paid.id);
}

test("opening every link of every mail, as scanners do, changes nothing", async () => {
  await renderMails();
  const mails = opened(
    await sql<{ kind: string; body_sealed: string }[]>`select kind, body_sealed from ${mailsWithTexts()}`,
  );
  expect([...new Set(mails.map(({ kind }) => kind))].sort()).toEqual([
    "confirm-email",
    "email-change",
    "new-sale",
    "pix",
    "purchase",
    "reminder",
    "reset-password",
    "security-notice",
  ]);
  const links = mails.flatMap(({ payload }) =>
    [...payload.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!),
  );
  const own = [...new Set(links)].filter((href) => href.startsWith(app.url));
  expect(own.length).toBeGreaterThan(8);
  const before = await everything();
  for (const link of own) {
    const answer = await app.fetch(link, { headers: { "User-Agent": "Mail scanner" } });
    expect(answer.status, link).toBeLessThan(400);
    await answer.text();
  }
  const after = await everything();
  expect(after.filter((row) => !before.includes(row))).toEqual([]);
  expect(before.filter((row) => !after.includes(row))).toEqual([]);
});

/** Every row of every table, as text. */
async function everything(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const each = tables.map(({ name }) => `select '${name} ' || to_jsonb(r)::text as row from "${name}" r`);
  const rows = await sql.unsafe<{ row: string }[]>(each.join(" union all "));
  return rows.map(({ row }) => row);
}
