import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import type { ProviderDispute } from "#app/domain/gateway/providers/port.ts";
import { insertDispute, moveDispute } from "#app/domain/sale/dispute/move-dispute.server.ts";
import { decideDispute, openDispute } from "#app/domain/sale/dispute/open-dispute.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts } from "#tests/support/rows/make-mail.ts";

type Sale = Awaited<ReturnType<typeof makeSale>>;
type Cause = Parameters<typeof openDispute>[3];

const SOURCE = { chargeId: null, origin: "provider", note: null } as const;
const DUE = new Date("2026-12-05T12:00:00Z");
const reported = (fields: Partial<ProviderDispute> = {}): ProviderDispute => ({
  ...{ providerId: "4711", amountCents: 9700, evidence: "needed", evidenceDueAt: DUE },
  ...fields,
});

/** A paid sale of R$ 97,00, of a seller who suspends the access of disputed ones, or does not. */
async function paidSale(fields: Parameters<typeof makeSale>[1] = {}, suspendsDisputed = false) {
  const seller = await makeSeller({ suspendsDisputed });
  return makeSale(await makeProduct(seller), { status: "completed", ...fields });
}

const open = ({ id }: Sale, said: ProviderDispute | null = null, cause: Cause = "provider") =>
  db.transaction((tx) => openDispute(tx, id, { ...SOURCE, reported: said }, cause));
const decide = (
  { id }: Sale,
  outcome: "won" | "lost",
  said: ProviderDispute | null = null,
  cause: Cause = "provider",
) => db.transaction((tx) => decideDispute(tx, id, outcome, { ...SOURCE, reported: said }, cause));

/** The sale, and its disputes in order. */
async function stateOf({ id }: Sale) {
  const [sale] = await sql`select status, refunded_cents as cents from sales where id = ${id}`;
  const disputes =
    await sql`select amount_cents, status from disputes where sale_id = ${id} order by opened_at`;
  return { ...sale, disputes: disputes.map((one) => `${one.amount_cents} ${one.status}`) };
}

/** The mails about a sale's disputes: to whom, and what they state. */
async function mailsOf({ id }: Sale) {
  const mails = await sql`select kind, recipient, data from ${mailsWithTexts()}
    where sale_id = ${id} order by created_at, kind`;
  return mails.map(({ kind, recipient, data }) => ({ kind, recipient, data }));
}

const whatOf = async (sale: Sale) => (await mailsOf(sale)).map(({ kind, data }) => `${kind}: ${data.what}`);

test("a sale has one open dispute at a time, and none after its money went back", async () => {
  const sale = await paidSale();
  expect([await open(sale), await open(sale)]).toEqual([true, false]);
  expect(await stateOf(sale)).toEqual({ status: "disputed", cents: 0, disputes: ["9700 open"] });
  const refunded = await paidSale({ status: "refunded", refundedCents: 9700 });
  expect(await open(refunded)).toBe(false);
  expect(await stateOf(refunded)).toEqual({ status: "refunded", cents: 9700, disputes: [] });
});

test.each([
  ["nothing", null, 7700],
  ["all that the buyer paid, with a card's interest", 12_000, 7700],
  ["a part", 5000, 5000],
])("where the provider says %s, a dispute is at most of what was not refunded", async (_, cents, amount) => {
  const sale = await paidSale({ refundedCents: 2000 });
  await open(sale, cents === null ? null : reported({ amountCents: cents }));
  expect((await stateOf(sale)).disputes).toEqual([`${amount} open`]);
});

test("a dispute is won where it is open, and lost also where nobody reported it before", async () => {
  const sale = await paidSale();
  expect(await decide(sale, "won")).toBe(false);
  expect(await stateOf(sale)).toEqual({ status: "completed", cents: 0, disputes: [] });
  expect(await decide(sale, "lost")).toBe(true);
  const lost = { status: "chargedback", cents: 9700, disputes: ["9700 lost"] };
  expect(await stateOf(sale)).toEqual(lost);
  for (const outcome of ["won", "lost"] as const) expect(await decide(sale, outcome)).toBe(false);
  expect(await stateOf(sale)).toEqual(lost);
});

test("a decision ends the open dispute of its sale, and no other", async () => {
  const sale = await paidSale();
  const other = await makeSale(await makeProduct({ id: sale.sellerId }), { status: "completed" });
  for (const one of [sale, other]) await open(one);
  expect(await decide(sale, "won")).toBe(true);
  const decidedAt = () => sql`select decided_at from disputes where sale_id = ${sale.id} and status = 'won'`;
  const before = await decidedAt();
  await open(sale);
  await decide(sale, "lost");
  expect((await stateOf(sale)).disputes).toEqual(["9700 won", "9700 lost"]);
  expect(await decidedAt()).toEqual(before);
  expect(await stateOf(other)).toEqual({ status: "disputed", cents: 0, disputes: ["9700 open"] });
});

test("what the provider says with its decision is kept", async () => {
  const sale = await paidSale({ paymentMethod: "card" });
  await open(sale, reported());
  await decide(sale, "lost", reported({ evidence: "missed" }));
  const [dispute] = await sql`select provider_id, evidence_status from disputes where sale_id = ${sale.id}`;
  expect(dispute).toEqual({ provider_id: "4711", evidence_status: "missed" });
});

test("a sale without an open dispute has none to decide, and one that has it gets no second", async () => {
  const sale = await paidSale();
  const { id: saleId, sellerId } = sale;
  await expect(db.transaction((tx) => moveDispute(tx, sale, "won"))).rejects.toThrow("has no open dispute");
  await open(sale);
  const again = {
    ...{ saleId, sellerId, ...SOURCE, amountCents: 100 },
    ...{ providerId: null, evidenceStatus: null, evidenceDueAt: null },
  };
  expect(await db.transaction((tx) => insertDispute(tx, again))).toBeNull();
});

test.each([
  ["provider", false, "won", ["dispute: opened", "dispute: won"]],
  ["provider", false, "lost", ["dispute: opened", "dispute: lost", "dispute-access: lost"]],
  [
    "provider",
    true,
    "won",
    ["dispute: opened", "dispute-access: opened", "dispute: won", "dispute-access: won"],
  ],
  ["seller", false, "won", []],
  ["seller", false, "lost", ["dispute-access: lost"]],
  ["seller", true, "won", ["dispute-access: opened", "dispute-access: won"]],
] as const)(
  "of a dispute by the %s (access suspended: %s) that is %s",
  async (cause, suspends, outcome, mails) => {
    const sale = await paidSale({}, suspends);
    await open(sale, null, cause);
    await decide(sale, outcome, null, cause);
    expect(await whatOf(sale)).toEqual(mails);
    const anonymous = await paidSale({ customerEmail: null }, suspends);
    await open(anonymous, null, cause);
    await decide(anonymous, outcome, null, cause);
    expect(await whatOf(anonymous)).toEqual(mails.filter((what) => what.startsWith("dispute:")));
  },
);

test("the mails go to the sale's own seller and buyer, and state how it was paid and what the bank asks for", async () => {
  for (const [paymentMethod, isCard] of [
    ["card", true],
    ["pix", false],
  ] as const) {
    const sale = await paidSale({ paymentMethod }, true);
    const [seller] = await sql`select email from sellers where id = ${sale.sellerId}`;
    await open(sale, reported());
    await decide(sale, "won");
    const toSeller = { kind: "dispute", recipient: seller!.email };
    const toBuyer = { kind: "dispute-access", recipient: sale.customerEmail };
    const known = { amountCents: 9700, suspends: true, isCard };
    const asked = { evidence: "needed", evidenceDueAt: DUE.toISOString() };
    expect(await mailsOf(sale)).toEqual([
      { ...toSeller, data: { what: "opened", ...known, ...asked } },
      { ...toBuyer, data: { what: "opened", amountCents: 9700, isRecorded: false } },
      { ...toSeller, data: { what: "won", ...known, evidence: null, evidenceDueAt: null } },
      { ...toBuyer, data: { what: "won", amountCents: 9700, isRecorded: false } },
    ]);
  }
});
