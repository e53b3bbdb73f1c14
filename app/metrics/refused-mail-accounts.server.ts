import { sql } from "drizzle-orm";
import { metricsDb } from "#app/db/replica/read-clients.server.ts";
import type { GaugeReading } from "#app/platform/metrics.server.ts";

/** An account is retried every 15 minutes while mails wait for it; older rows are of accounts no longer used. */
export async function refusedMailAccounts(): Promise<GaugeReading[]> {
  const rows = await metricsDb.execute<{ via: string; count: number }>(sql`
    select via, count(*)::int as count from mail_account_pauses
    where paused_until > now() - interval '20 minutes' group by 1`);
  return [
    {
      name: "mail_accounts_refused",
      help: "Accounts that refuse every mail, which wait for them, by whose they are.",
      values: ["platform", "seller"].map((via) => [{ via }, rows.find((row) => row.via === via)?.count ?? 0]),
    },
  ];
}
