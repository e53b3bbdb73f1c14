import { sql } from "drizzle-orm";
import { measuring } from "#app/db/client.server.ts";
import type { Reading } from "#app/platform/metrics.server.ts";

/** Each is tried every 15 minutes while anything waits for it: one that is not is used no more. */
export async function refusedMailAccounts(): Promise<Reading[]> {
  const rows = await measuring.execute<{ via: string; count: number }>(sql`
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
