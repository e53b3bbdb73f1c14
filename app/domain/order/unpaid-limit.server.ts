import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";

/** Unpaid orders of one client within ten minutes, at all sellers: phones behind one address share them. */
const MOST_OF_CLIENT = 30;
/** Unpaid orders of one client for one e-mail at one seller within an hour: more than a buyer's second thoughts. */
const MOST_OF_EMAIL = 12;

/** Seconds until one more order may be placed; null where it may be now. */
export type Waits = { clientWait: number | null; emailWait: number | null };

/** What a statement selects to know `Waits`: a paid order gives its place back. The client's orders must go one by one. */
export function unpaidWaits(
  tx: Db,
  { client, email, sellerId }: { client: string[]; email: string | null; sellerId: string },
): SQL {
  const ofClient = waitFor(tx, MOST_OF_CLIENT, sql`interval '10 minutes'`, inArray(sales.clientKey, client));
  if (!email) return sql`${ofClient} as "clientWait", null::int as "emailWait"`;
  const ofEmail = waitFor(
    tx,
    MOST_OF_EMAIL,
    sql`interval '1 hour'`,
    and(inArray(sales.clientKey, client), eq(sales.customerEmail, email), eq(sales.sellerId, sellerId)),
  );
  return sql`${ofClient} as "clientWait", ${ofEmail} as "emailWait"`;
}

/** Until the oldest of the newest `most` is older than `within`. */
function waitFor(tx: Db, most: number, within: SQL, whose: SQL | undefined): SQL {
  const oldest = tx
    .select({ at: sales.createdAt })
    .from(sales)
    .where(
      and(
        whose,
        gt(sales.createdAt, sql`now() - ${within}`),
        inArray(sales.status, ["pending", "failed", "cancelled"]),
      ),
    )
    .orderBy(desc(sales.createdAt))
    .offset(most - 1)
    .limit(1);
  return sql`ceil(extract(epoch from (${oldest}) + ${within} - now()))::int`;
}

/** @throws OrderRefusal too-many, with the seconds to wait, where there is something to wait for */
export function refuseTooMany({ clientWait, emailWait }: Waits): void {
  if (emailWait !== null) {
    throw tooMany(
      `Este e-mail já tem ${MOST_OF_EMAIL} pedidos sem pagamento nesta loja na última hora.`,
      emailWait,
    );
  }
  if (clientWait !== null)
    throw tooMany("Há muitos pedidos sem pagamento vindos da sua conexão.", clientWait);
}

function tooMany(why: string, wait: number): OrderRefusal {
  const seconds = Math.max(1, wait);
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? "1 minuto" : `${minutes} minutos`;
  const message = `${why} Pague um deles ou tente de novo em ${when}.`;
  return new OrderRefusal("too-many", message, { retryAfter: seconds });
}
