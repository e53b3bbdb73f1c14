import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { erasures } from "#app/db/schema/buyers.server.ts";
import { isUnfinished } from "#app/domain/erasure/may-empty.server.ts";
import { rightEnds } from "#app/domain/refund/asked/refund-window.ts";
import { mergeCheckoutSettings } from "#app/domain/storefront/checkout-settings.ts";

/** A purchase that the buyer should know of before they press. */
export type Foreseen = { saleId: string; name: string; isPaid: boolean };

/**
 * What emptying would meet: how many purchases were paid; which may still go back by the buyer's own press, the one whose
 * time ends first before the others; which wait for something, and would be emptied after it.
 */
export type Foresight = {
  paid: number;
  returnable: (Foreseen & { ends: Date })[];
  unfinished: Foreseen[];
  /** When they asked for it already; null where they did not. */
  askedAt: Date | null;
};

/** A buyer has few; of more the newest are judged. */
const MOST = 200;

/** For who reads the mailbox of `email`. */
export async function foreseeErasure(email: string, now = new Date()): Promise<Foresight> {
  const rows = await db.execute<{
    id: string;
    name: string;
    status: string;
    paid_at: string | null;
    days: number | null;
    settings: Record<string, unknown> | null;
    is_unfinished: boolean;
    has_asked: boolean;
  }>(sql`
    select s.id, coalesce((select l.name from sale_lines l where l.sale_id = s.id order by l.position limit 1), 'Compra') as name,
      s.status, s.completed_at as paid_at, s.guarantee_days as days, c.settings, ${isUnfinished} as is_unfinished,
      exists (select from refund_requests r where r.sale_id = s.id) as has_asked
    from sales s left join checkout_customizations c on c.seller_id = s.seller_id
    where s.customer_email = ${email} order by s.created_at desc limit ${MOST}`);
  const [asked] = await db
    .select({ askedAt: erasures.askedAt })
    .from(erasures)
    .where(eq(erasures.email, email));
  const known = rows.map((row) => ({
    ...{ saleId: row.id, name: row.name, isPaid: row.paid_at !== null, isUnfinished: row.is_unfinished },
    ends:
      row.status === "completed" && !row.has_asked && row.paid_at
        ? rightEnds(
            new Date(row.paid_at),
            row.days ?? mergeCheckoutSettings(row.settings ?? {}).guarantee_days,
          )
        : null,
  }));
  return {
    paid: known.filter(({ isPaid }) => isPaid).length,
    returnable: known
      .flatMap(({ saleId, name, isPaid, ends }) =>
        ends && ends > now ? [{ saleId, name, isPaid, ends }] : [],
      )
      .sort((a, b) => a.ends.getTime() - b.ends.getTime()),
    unfinished: known
      .filter((one) => one.isUnfinished)
      .map(({ saleId, name, isPaid }) => ({ saleId, name, isPaid })),
    askedAt: asked?.askedAt ?? null,
  };
}
