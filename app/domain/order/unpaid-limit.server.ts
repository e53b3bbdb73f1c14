import { and, desc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { UNPAID } from "#app/domain/sale/states.ts";

/** Unpaid orders of one client within ten minutes, at all sellers: phones behind one address share it. */
const MAX_UNPAID_PER_CLIENT = 30;
/** Unpaid orders of one client for one e-mail at one seller within an hour: more than a buyer who hesitates needs. */
const MAX_UNPAID_PER_EMAIL = 12;

/** Seconds until another order is allowed, by each of the two limits; null where it is allowed now. */
export type SecondsUntilAllowed = { clientWait: number | null; emailWait: number | null };

/**
 * The columns of `SecondsUntilAllowed` for a statement; a paid order no longer counts, and a free one counts for the next free one
 * (`isFree`) alone. The caller must serialize the client's orders.
 */
export function selectSecondsUntilAllowed(
  tx: Db,
  { client, email, sellerId }: { client: string[]; email: string | null; sellerId: string },
  isFree = false,
): SQL {
  const counts = or(inArray(sales.status, UNPAID), isFree ? eq(sales.amountCents, 0) : undefined);
  const ofClient = selectWait(
    tx,
    MAX_UNPAID_PER_CLIENT,
    sql`interval '10 minutes'`,
    and(inArray(sales.clientKey, client), counts),
  );
  if (!email) return sql`${ofClient} as "clientWait", null::int as "emailWait"`;
  const ofEmail = selectWait(
    tx,
    MAX_UNPAID_PER_EMAIL,
    sql`interval '1 hour'`,
    and(
      ...[inArray(sales.clientKey, client), counts],
      ...[eq(sales.customerEmail, email), eq(sales.sellerId, sellerId)],
    ),
  );
  return sql`${ofClient} as "clientWait", ${ofEmail} as "emailWait"`;
}

/** Seconds until the oldest of the newest `max` orders is older than `within`. */
function selectWait(tx: Db, max: number, within: SQL, condition: SQL | undefined): SQL {
  const oldest = tx
    .select({ at: sales.createdAt })
    .from(sales)
    .where(and(condition, gt(sales.createdAt, sql`now() - ${within}`)))
    .orderBy(desc(sales.createdAt))
    .offset(max - 1)
    .limit(1);
  return sql`ceil(extract(epoch from (${oldest}) + ${within} - now()))::int`;
}

/** @throws OrderRefusal too-many, with the seconds to wait, where the limit is reached; `isFree`: of a free order */
export function refuseTooMany({ clientWait, emailWait }: SecondsUntilAllowed, isFree = false): void {
  const what = isFree ? "pedidos" : "pedidos sem pagamento";
  const wait = emailWait ?? clientWait;
  if (wait === null) return;
  const seconds = Math.max(1, wait);
  const reason =
    emailWait === null
      ? `Há muitos ${what} vindos da sua conexão.`
      : `Este e-mail já tem ${MAX_UNPAID_PER_EMAIL} ${what} nesta loja na última hora.`;
  const advice = isFree ? "Tente de novo" : "Pague um deles ou tente de novo";
  const message = `${reason} ${advice} em ${formatMinutes(seconds)}.`;
  throw new OrderRefusal("too-many", message, { retryAfter: seconds });
}

/** Seconds as whole minutes, in words. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minuto" : `${minutes} minutos`;
}
