import { expect, test } from "vitest";
import { claimMails } from "#app/domain/mail/outbox/claim-mails.server.ts";
import { claimReminders } from "#app/domain/reminder/remind-buyer.server.ts";
import { claimChecks } from "#app/domain/settlement/check-charge.server.ts";
import { countStatements, sql } from "#tests/support/database.ts";

/** The pages that one look for due rows reads. */
async function pagesOf(claim: (most: number) => Promise<unknown>, values: number[]): Promise<number> {
  const { statements } = await countStatements(() => claim(20));
  expect(statements).toHaveLength(1);
  const [row] = await sql.unsafe(`explain (analyze, buffers, format json) ${statements[0]}`, values);
  const plan = row!["QUERY PLAN"][0].Plan;
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

test("a look for due rows reads no more where a hundred thousand wait", { timeout: 120_000 }, async () => {
  await sql`insert into mails (kind, recipient, payload, idempotency_key, due_at)
    select 'purchase', n || '@exemplo.com.br', '{}', 'purchase/' || n, now() + interval '1 hour' from generate_series(1, 100000) n`;
  // The sales and charges behind them are of no matter to this.
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into reminders (sale_id, number, since, due_at)
      select gen_random_uuid(), 1, now(), now() + interval '1 hour' from generate_series(1, 100000)`;
    await tx`insert into charges (sale_id, provider, reference, amount_cents, next_check_at)
      select gen_random_uuid(), 'pushinpay', 'r' || n, 9700, now() + interval '1 hour' from generate_series(1, 100000) n`;
  });
  expect(await pagesOf(claimMails, [15, 20, 5])).toBeLessThan(20);
  expect(await pagesOf(claimReminders, [180, 20])).toBeLessThan(20);
  expect(await pagesOf(claimChecks, [10, 20])).toBeLessThan(20);
});
