import { randomUUID } from "node:crypto";
import { db } from "#app/db/client.server.ts";
import { mails, queuedMails } from "#app/db/schema/mails.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { refreshReports } from "#app/domain/reports/figures/refresh-reports.server.ts";

/** A sale of a test shop as the test itself remembers it. */
export type KnownSale = {
  id: string;
  productId: number;
  productName: string;
  parentSaleId: string | null;
  status: typeof sales.$inferSelect.status;
  amountCents: number;
  /** The provider's fee, and how much of the payment was refunded; none if left out. */
  feeCents?: number | null;
  refundedCents?: number;
  paymentMethod: string;
  customerName: string | null;
  customerEmail: string | null;
  campaign: [string | null, string | null, string | null];
  bumps: number;
  /** The coupon, and what it took off the first line; none if left out. */
  coupon?: { couponId: string; couponCode: string; discountCents: number } | null;
  createdAt: Date;
  completedAt: Date | null;
};

/** Numbers from 0 to 1 that are the same at every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Writes sales with their lines, as checkout and settlement leave them. */
export async function writeSales(sellerId: string, known: KnownSale[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.insert(sales).values(
      known.map(({ productName, bumps, coupon, campaign: [utmSource, utmMedium, utmCampaign], ...sale }) => ({
        ...sale,
        sellerId,
        refundedAt: sale.status === "refunded" ? sale.completedAt : null,
        utmSource,
        utmMedium,
        utmCampaign,
        couponId: coupon?.couponId ?? null,
        couponCode: coupon?.couponCode ?? null,
        orderKey: randomUUID(),
      })),
    );
    await tx.insert(saleLines).values(
      known.flatMap((sale) => [
        {
          saleId: sale.id,
          sellerId,
          kind: sale.parentSaleId ? ("offer" as const) : ("product" as const),
          name: sale.productName,
          priceCents: sale.amountCents,
          discountCents: sale.coupon?.discountCents ?? 0,
        },
        ...Array.from({ length: sale.bumps }, (_, i) => ({
          saleId: sale.id,
          sellerId,
          kind: "bump" as const,
          position: i + 1,
          name: `Bump ${i + 1}`,
          priceCents: 990,
        })),
      ]),
    );
  });
}

/** A mail about a sale. One that is neither sent nor failed waits. */
export async function writeMail(
  sale: { id: string; sellerId: string; customerEmail: string | null },
  { scheduledAt, ...fields }: Partial<typeof mails.$inferInsert> & { scheduledAt?: Date } = {},
): Promise<typeof mails.$inferSelect> {
  const [row] = await db
    .insert(mails)
    .values({
      sellerId: sale.sellerId,
      saleId: sale.id,
      kind: "purchase",
      recipient: sale.customerEmail ?? "",
      subject: "Sua compra",
      idempotencyKey: randomUUID(),
      failedAt: fields.status === "failed" ? new Date() : null,
      ...fields,
    })
    .returning();
  const { id, sellerId, createdAt, status } = row!;
  const data = { paidAt: createdAt.toISOString() };
  if (status === "attempting")
    await db.insert(queuedMails).values({ id, sellerId, createdAt, scheduledAt, data });
  return row!;
}

/** What the scheduled jobs do every minute. */
export async function refresh(): Promise<void> {
  await refreshReports.handle({}, { number: 1, last: false });
}
