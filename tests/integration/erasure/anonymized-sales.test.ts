import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { anonymizeSales } from "#app/domain/erasure/anonymize-sales.server.ts";
import {
  anonymizationReason,
  isForfeitedSql,
  linksRevokedAt,
} from "#app/domain/sale/sale-anonymization.server.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailRow, makeMail } from "#tests/support/rows/make-mail.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 25, hour));
const NAMELESS = { customerName: null, customerEmail: null };

/** What queries read of a sale that was anonymized, or was not. */
async function readOf(fields: Parameters<typeof makeSale>[1]) {
  const { id } = await makeSale(await makeProduct(await makeSeller()), fields);
  const [row] = await db
    .select({ reason: anonymizationReason, isForfeited: isForfeitedSql, linksRevokedAt })
    .from(sales)
    .where(eq(sales.id, id));
  return row!;
}

test("why a sale names no buyer is known where it was anonymized", async () => {
  expect(await readOf({})).toEqual({ reason: null, isForfeited: false, linksRevokedAt: null });
  expect(await readOf(NAMELESS)).toMatchObject({ reason: null });
  expect(await readOf({ ...NAMELESS, anonymizedAt: at(12) })).toMatchObject({ reason: "unpaid" });
  const asked = { anonymizedAt: at(12), anonymizedAs: "alguém" };
  expect(await readOf({ ...NAMELESS, ...asked })).toMatchObject({ reason: "asked" });
  // The buyer gave a name or an address again.
  expect(await readOf({ ...asked, customerName: null })).toMatchObject({ reason: null });
  expect(await readOf({ ...asked, customerEmail: null })).toMatchObject({ reason: null });
});

test("a purchase is given up with its buyer's data, unless it was paid or addressed again afterwards", async () => {
  const paid = { ...NAMELESS, status: "completed", completedAt: at(12) } as const;
  expect(await readOf({ ...paid, anonymizedAt: at(13) })).toMatchObject({ isForfeited: true });
  expect(await readOf({ ...paid, anonymizedAt: at(11) })).toMatchObject({ isForfeited: false });
  expect(await readOf(paid)).toMatchObject({ isForfeited: false });
  const again = { ...paid, anonymizedAt: at(13), customerEmail: "bia@exemplo.com.br" };
  expect(await readOf(again)).toMatchObject({ isForfeited: false });
});

test("earlier links end with the correction of the e-mail or the anonymization, whichever was later", async () => {
  const revoked = async (emailCorrectedAt: Date | null, anonymizedAt: Date | null) =>
    (await readOf({ emailCorrectedAt, anonymizedAt })).linksRevokedAt;
  expect(await revoked(at(12), null)).toEqual(at(12));
  expect(await revoked(null, at(12))).toEqual(at(12));
  expect(await revoked(at(12), at(13))).toEqual(at(13));
  expect(await revoked(at(13), at(12))).toEqual(at(13));
});

test("mails to the seller are not taken for the buyer's once the seller has another address", async () => {
  const seller = await makeSeller();
  const { id: saleId } = await makeSale(await makeProduct(seller), { status: "completed" });
  const toSeller = await makeMail({ saleId, kind: "new-sale" });
  const toBuyer = await makeMail({ saleId, kind: "purchase" });
  await db
    .update(sellers)
    .set({ email: `novo-${seller.email}` })
    .where(eq(sellers.id, seller.id));
  await anonymizeSales([saleId], sql`true`, null);
  // It waits until nothing in flight names the buyer.
  expect(await mailRow(toSeller)).toMatchObject({ recipient: seller.email, status: "attempting" });
  expect(await mailRow(toBuyer)).toMatchObject({ recipient: "", status: "failed" });
});
