import { expect } from "vitest";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";

/** What became of a contested payment. */
export type DisputeOutcome = "disputed" | "won" | "chargedback" | "evidence";

/** A documentation's status there, and what it is here. */
const EVIDENCE: Record<string, string> = {
  not_applicable: "not_needed",
  pending: "needed",
  review_pending: "in_review",
};

/** Compares a sale's disputes and their evidence with what its card's bank has. `state` is for messages. */
export async function compareDisputes(
  app: App,
  saleId: string,
  { saleStatus, contestedId, state }: { saleStatus: string; contestedId: string | undefined; state: string },
): Promise<DisputeOutcome[]> {
  const disputes = await sql`select status, evidence_status as evidence from disputes
    where sale_id = ${saleId} order by opened_at, id`;
  const [open] = disputes.filter(({ status }) => status === "open");
  expect(open !== undefined, state).toBe(saleStatus === "disputed");
  expect(disputes.filter(({ status }) => status === "lost").length, state).toBe(
    saleStatus === "chargedback" ? 1 : 0,
  );
  if (contestedId === undefined) {
    expect(disputes, state).toHaveLength(0);
    return [];
  }
  const { card } = await app.sandbox.get<{
    card: { chargeback: { documentation: string; files: unknown[] } };
  }>(`/transactions/${contestedId}`);
  const { documentation, files } = card.chargeback;
  const sent = await sql`select 1 from sale_events where sale_id = ${saleId} and kind = 'evidence_sent'`;
  expect(sent.length, state).toBeLessThanOrEqual(disputes.length);
  if (open) expect(open.evidence, state).toBe(EVIDENCE[documentation]);
  if (open && files.length > 0) expect(sent.length, state).toBeGreaterThan(0);
  return [
    ...(saleStatus === "completed" ? [] : [saleStatus as "disputed" | "chargedback"]),
    ...(disputes.some(({ status }) => status === "won") ? ["won" as const] : []),
    ...(sent.length > 0 ? ["evidence" as const] : []),
  ];
}
