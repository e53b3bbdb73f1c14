import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { anonymizeClosedAccounts } from "#app/domain/erasure/anonymize-closed-accounts.server.ts";
import { SELLER_COLUMNS } from "#app/domain/erasure/anonymize-shop.server.ts";
import { BUYER_COLUMNS } from "#app/domain/erasure/buyer-columns.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";
import { eraseWholly } from "#tests/integration/erasure/support.ts";
import { sql } from "#tests/support/database.ts";
import { fillTables } from "#tests/support/rows/fill-tables.ts";
import { columnName, schemaTables } from "#tests/support/rows/schema-tables.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const once = { number: 1, last: false };

/** Completed two days ago, with nothing pending. */
const COMPLETED = {
  ...{ status: "completed", createdAt: daysAgo(2), completedAt: daysAgo(2), parentSaleId: null },
  emailCorrectedAt: daysAgo(2),
  ...{ refundedAt: null, accessSuspendedAt: null, anonymizedAt: null, anonymizedAs: null },
};
const FINISHED = {
  sales: COMPLETED,
  refund_requests: { answer: "declined" },
};

/** `table.column` of what these lists anonymize, or whose table is deleted. */
function anonymizedColumns(lists: Record<string, "deleted" | Record<string, string>>): string[] {
  return Object.entries(lists).flatMap(([table, fates]) => {
    if (fates === "deleted") return textColumns(table).map((column) => `${table}.${column}`);
    const anonymized = Object.keys(fates).filter((column) => /^anonymized\b/.test(fates[column]!));
    return anonymized.map((column) => `${table}.${column}`);
  });
}

function textColumns(table: string): string[] {
  const { columns } = schemaTables.find(({ name }) => name === table)!;
  return columns
    .filter((column) => /text|json/.test(column.getSQLType()) && !column.enumValues?.length)
    .map(({ name }) => name);
}

/** Every text in these columns, in JSON too, by `table.column`. */
async function textsIn(columns: string[]): Promise<Map<string, string[]>> {
  const texts = new Map<string, string[]>();
  for (const name of columns) {
    const [table, column] = name.split(".") as [string, string];
    const rows = await sql`select to_jsonb(${sql(columnName(column))}) as value from ${sql(table)}`;
    texts.set(
      name,
      rows.flatMap(({ value }) => leaves(value)),
    );
  }
  return texts;
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** Which of these texts, present before, are still there. */
async function remains(before: Map<string, string[]>): Promise<string[]> {
  const after = await textsIn([...before.keys()]);
  return [...before].flatMap(([name, texts]) =>
    texts.filter((text) => after.get(name)!.includes(text)).map((text) => `${name} still holds ${text}`),
  );
}

const emptyIn = (texts: Map<string, string[]>) =>
  [...texts].filter(([, found]) => found.length === 0).map(([name]) => name);

test("each column erased with the buyer was full in a full shop, and holds nothing of the buyer afterwards", async () => {
  const email = `zoe-${randomUUID()}@exemplo.com.br`;
  const seller = `vera-${randomUUID()}@exemplo.com.br`;
  const mail = { status: "sent", clearedAt: null, createdAt: daysAgo(2) };
  await fillTables({
    ...FINISHED,
    sellers: { email: seller },
    sales: { ...COMPLETED, customerEmail: email },
    mails: [
      { ...mail, kind: "purchase", recipient: email },
      { ...mail, kind: "new-sale", recipient: seller },
    ],
    buyer_sessions: { email, createdAt: daysAgo(1) },
    erasures: { email },
    reminder_opt_outs: { emailHash: computeAddressHashes(email)[0] },
    report_buyers: { email },
    report_marks: { email },
  });
  const before = await textsIn(anonymizedColumns(BUYER_COLUMNS));
  expect(emptyIn(before), "columns that were to be full").toEqual([]);
  before.set(
    "mails.recipient",
    before.get("mails.recipient")!.filter((text) => text !== seller),
  );
  await eraseWholly(email);
  await refreshReports.handle({}, once);
  expect(await remains(before)).toEqual([]);
});

test("each column erased with the seller likewise, 30 days after a full account was closed", async () => {
  const columns = anonymizedColumns(SELLER_COLUMNS);
  const ofOthers = await textsIn(columns);
  await fillTables({ ...FINISHED, sellers: { closedAt: daysAgo(31), anonymizedAt: null } });
  const before = await textsIn(columns);
  for (const [name, texts] of before)
    before.set(
      name,
      texts.filter((text) => !ofOthers.get(name)!.includes(text)),
    );
  expect(emptyIn(before), "columns that were to be full").toEqual([]);
  await anonymizeClosedAccounts.handle({}, once);
  expect(await remains(before)).toEqual([]);
});
