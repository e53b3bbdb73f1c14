import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { db } from "#app/db/client.server.ts";
import { buyerHashes, reserveCouponAgain } from "#app/domain/coupon/reserve-coupon.server.ts";
import { closeAccount } from "#app/domain/erasure/close-account.server.ts";
import { reserveOfferAgain } from "#app/domain/order/reserve-offer.server.ts";
import { seal, signaturesOf } from "#app/platform/secrets.server.ts";
import { mailClosings } from "#tests/integration/erasure/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

/** Named before any module reads the environment. */
vi.hoisted(() => {
  process.env.APP_SECRET_OLD = "o segredo de antes, com mais de trinta e duas letras";
});

const BIA = { email: "bia@exemplo.com.br", document: "52998224725" };

/** An order of Bia's whose use ended, and another that was hashed with the secret of before or of now and holds its use. */
async function orders(kind: "coupon" | "offer", { secret }: { secret: "before" | "now" }) {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const coupon = await makeCoupon(seller, { maxUsesPerBuyer: 1 });
  const offer = await makeOffer(product, { maxUnitsPerBuyer: 1 });
  const fields = { customerEmail: BIA.email, customerDocumentSealed: seal(BIA.document) };
  const [first, again] = [await makeSale(product, fields), await makeSale(product, fields)];
  const hashes = buyerHashes(seller.id, BIA);
  const at = secret === "now" ? 0 : 1;
  for (const [sale, index, releasedAt] of [
    [first, at, null],
    [again, 1 - at, new Date()],
  ] as const) {
    const row = { sale_id: sale.id, seller_id: seller.id, released_at: releasedAt };
    const hashed = { email_hash: hashes.email[index]!, document_hash: hashes.document[index]! };
    if (kind === "coupon")
      await sql`insert into coupon_uses ${sql({ ...row, ...hashed, coupon_id: coupon.id })}`;
    else await sql`insert into offer_uses ${sql({ ...row, ...hashed, offer_id: offer.id, quantity: 1 })}`;
  }
  return again;
}

test.each([
  ["coupon", "before"],
  ["coupon", "now"],
  ["offer", "before"],
  ["offer", "now"],
] as const)(
  "a buyer's limit (%s) counts a use that was hashed with the secret of %s, while the secret is changed",
  async (kind, secret) => {
    const sale = await orders(kind, { secret });
    const reserve = kind === "coupon" ? reserveCouponAgain : reserveOfferAgain;
    expect(await db.transaction((tx) => reserve(tx, sale, null))).toBe(false);
  },
);

test("a buyer whom an earlier batch mailed of a closing with the old secret is not mailed again", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const [ana, bia] = [`ana-${randomUUID()}@exemplo.com.br`, `bia-${randomUUID()}@exemplo.com.br`];
  const sale = await makeSale(product, { status: "completed", customerEmail: ana });
  await makeSale(product, { status: "completed", customerEmail: bia });
  await closeAccount({ id: seller.id, sessionId: randomUUID() });
  const [closed] = await sql`select closed_at from sellers where id = ${seller.id}`;
  const old = signaturesOf(`shop-closed:${ana}`)[1]!;
  const key = `shop-closed/${seller.id}/${(closed!.closed_at as Date).getTime()}/${old}`;
  await sql`insert into mails (kind, idempotency_key, recipient, seller_id, sale_id)
    values ('shop-closed', ${key}, ${ana}, ${seller.id}, ${sale.id})`;
  await mailClosings(seller.id);
  const told =
    await sql`select recipient from mails where seller_id = ${seller.id} and kind = 'shop-closed' order by 1`;
  expect(told.map(({ recipient }) => recipient)).toEqual([ana, bia]);
});
