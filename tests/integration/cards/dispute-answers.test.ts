import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { EvidenceStatus } from "#app/db/schema/lists.ts";
import { updateDispute } from "#app/domain/sale/dispute/update-dispute.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const DUE = new Date("2026-12-05T12:00:00Z");

/** A sale with an open dispute whose evidence was sent that many minutes ago; null: not sent. */
async function disputed(evidence: EvidenceStatus, sentMinutesAgo: number | null) {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "disputed" });
  await sql`insert into disputes (seller_id, sale_id, amount_cents, origin, provider_id, evidence_status, evidence_due_at, evidence_sent_at)
    values (${seller.id}, ${sale.id}, 9700, 'provider', '4711', ${evidence}, ${DUE}, now() - make_interval(mins => ${sentMinutesAgo}))`;
  /** Books what the provider answers. @returns the dispute, and the events of its evidence */
  const answer = async (said: EvidenceStatus | null, evidenceDueAt: Date | null = null) => {
    await db.transaction((tx) =>
      updateDispute(tx, sale, { providerId: "4711", evidence: said, evidenceDueAt }),
    );
    const [stored] =
      await sql`select evidence_status, evidence_due_at from disputes where sale_id = ${sale.id}`;
    const events =
      await sql`select cause from sale_events where sale_id = ${sale.id} and kind = 'evidence_sent'`;
    return { status: stored!.evidence_status, due: stored!.evidence_due_at, events: events.length };
  };
  return { sale, answer };
}

test("an answer that was on its way while the evidence was sent does not undo it; a later one does", async () => {
  const sentNow = await disputed("in_review", 9);
  expect(await sentNow.answer("needed")).toMatchObject({ status: "in_review" });
  const sentLongAgo = await disputed("in_review", 11);
  expect(await sentLongAgo.answer("needed")).toMatchObject({ status: "needed" });
});

test("evidence that arrived is an event of the sale, once and only where it was sent from here", async () => {
  const sent = await disputed("needed", 2);
  expect(await sent.answer("in_review")).toMatchObject({ status: "in_review", events: 1 });
  expect(await sent.answer("accepted")).toMatchObject({ status: "accepted", events: 1 });
  const sentElsewhere = await disputed("needed", null);
  expect(await sentElsewhere.answer("in_review")).toMatchObject({ status: "in_review", events: 0 });
});

test("what the provider does not say stays as it was", async () => {
  const { answer } = await disputed("needed", null);
  expect(await answer(null)).toEqual({ status: "needed", due: DUE, events: 0 });
  const later = new Date("2026-12-08T12:00:00Z");
  expect(await answer(null, later)).toEqual({ status: "needed", due: later, events: 0 });
});

test("open pages of the sale are notified of a change, and of nothing else", async () => {
  const { sale, answer } = await disputed("needed", null);
  const notified: string[] = [];
  const { unlisten } = await sql.listen("sale", (payload) => void notified.push(payload));
  await answer("needed");
  await answer("missed");
  await until(() => notified.length > 0);
  expect(notified).toEqual([sale.id]);
  await unlisten();
});
