import { inArray, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { statementLines } from "#app/db/schema/charge-checks.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { charges, gatewayAccounts } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { canAskSql } from "#app/domain/charge/can-ask.server.ts";
import { isBooked } from "#app/domain/sale/states.ts";
import { scheduleChecks } from "#app/domain/settlement/schedule-checks.server.ts";
import type { StatementRow } from "#app/domain/settlement/statement/read-statement.server.ts";
import { spanOf, timeOf } from "#app/domain/settlement/statement/statement-day.ts";
import { startOfDaysAgo } from "#app/kit/dates.ts";

/** Missing payments are searched for in the last days of a longer statement only. */
const MAX_DAYS = 100;
/** Of each kind of difference this many are listed; all are counted. */
const MAX_LISTED = 100;

/**
 * How a statement and a seller's charges differ. `scheduled`: how many charges will be checked; `unaskable`: how many differ of which
 * no key is stored any more.
 */
export type Comparison = {
  rows: number;
  matching: number;
  scheduled: number;
  unaskable: number;
  unknown: { count: number; listed: { id: string }[] };
  differing: { count: number; listed: DifferingCharge[] };
  /** Of what was paid from `start` on and before `end`. */
  missing: { count: number; listed: MissingCharge[]; start: Date; end: Date } | null;
};

/** A charge that differs in the statement. Money in cents. */
type DifferingCharge = {
  id: string;
  saleId: string;
  theirCents: number | null;
  theirState: StatementRow["state"];
  ourCents: number;
  ourState: "paid" | "returned" | "unpaid";
  differsBy: "amount" | "amount-unread" | "state" | "open";
};
type MissingCharge = { id: string; saleId: string; cents: number; paidAt: string };

/**
 * Compares a provider's statement with a seller's charges. Nothing is booked from it: charges that differ or are still
 * unpaid are scheduled for a check at the account's pace. Comparing again schedules nothing more.
 */
export async function compareStatement(sellerId: string, rows: StatementRow[]): Promise<Comparison> {
  const known = await findCharges(
    sellerId,
    rows.map(({ id }) => id),
  );
  const pairs = rows.map((row) => ({ row, charge: known.get(row.id.toLowerCase()) }));
  const differing = pairs.flatMap(({ row, charge }) => (charge ? findDifference(row, charge) : []));
  const unknown = pairs.filter(({ charge }) => !charge).map(({ row: { id } }) => ({ id }));
  const askable = differing.filter(({ canAsk }) => canAsk).map(({ chargeId }) => chargeId);
  await scheduleChecks(sellerId, askable);
  return {
    rows: rows.length,
    matching: rows.length - unknown.length - differing.length,
    scheduled: askable.length,
    unaskable: differing.length - askable.length,
    unknown: { count: unknown.length, listed: unknown.slice(0, MAX_LISTED) },
    differing: {
      count: differing.length,
      listed: differing.slice(0, MAX_LISTED).map(({ chargeId: _, canAsk: __, ...listed }) => listed),
    },
    missing: await findMissing(
      sellerId,
      rows,
      [...new Set([...known.values()].map(({ provider }) => provider))],
      [...known.values()].flatMap(({ providerId }) => providerId?.toLowerCase() ?? []),
    ),
  };
}

type BookedCharge = {
  /** What the file names it by. */
  name: string;
  chargeId: string;
  provider: string;
  providerId: string | null;
  saleId: string;
  status: ChargeStatus;
  cents: number;
  /** What the buyer of a card paid with interest; null where it is not stated. */
  buyerCents: number | null;
  leftCents: number;
  /** Whether a key is stored with which its provider can be asked about it. */
  canAsk: boolean;
};

/**
 * Charges by what the file names them by, in lower case: the provider's id, our reference, or the payment's number in the account's
 * statements: some providers' files have these in place of the id that we know. Ids are in lower, upper or mixed case, and files
 * may write them otherwise: the index finds exact ids only, so each is looked up in three spellings.
 */
async function findCharges(sellerId: string, ids: string[]): Promise<Map<string, BookedCharge>> {
  const spellings = new Set(ids.flatMap((id) => [id, id.toLowerCase(), id.toUpperCase()]));
  const found = await db.execute<BookedCharge>(sql`
    with names as (select jsonb_array_elements_text(${JSON.stringify([...spellings])}::jsonb) as name), named as (
      select n.name, c.id from ${gatewayAccounts} a cross join names n
        inner join ${charges} c on c.seller_id = a.seller_id and c.provider = a.provider and c.provider_id = n.name
      where a.seller_id = ${sellerId}
      union select n.name, c.id from names n inner join ${charges} c on c.reference = n.name and c.seller_id = ${sellerId}
      union select n.name, l.charge_id from names n
        inner join ${statementLines} l on l.seller_id = ${sellerId} and l.source_id = n.name)
    select n.name, c.id as "chargeId", c.provider, c.provider_id as "providerId", c.sale_id as "saleId", c.status,
      coalesce(c.paid_cents, c.amount_cents) as cents, c.buyer_cents as "buyerCents",
      -- A chargeback is no refund: it takes the whole payment of its sale.
      case when s.status = 'chargedback' and c.status = 'paid' and c.overpaid_at is null then 0
        else (coalesce(c.paid_cents, 0) - coalesce((select sum(r.amount_cents) from refunds r
          where r.seller_id = c.seller_id and r.charge_id = c.id and r.status = 'done'), 0))::int end as "leftCents",
      ${canAskSql({ sellerId: sql`c.seller_id`, provider: sql`c.provider`, keyId: sql`c.gateway_key_id` })} as "canAsk"
    from named n inner join ${charges} c on c.seller_id = ${sellerId} and c.id = n.id
      inner join ${sales} s on s.seller_id = c.seller_id and s.id = c.sale_id`);
  return new Map(found.map((row) => [row.name.toLowerCase(), row]));
}

type FoundDifference = DifferingCharge & Pick<BookedCharge, "chargeId" | "canAsk">;

function findDifference(row: StatementRow, charge: BookedCharge): FoundDifference[] {
  // A line of what went back has no price. At least as much has to have gone back here; with a card's interest it may be more.
  const isKnownReturn = charge.leftCents <= 0 || (row.cents ?? 0) <= charge.cents - charge.leftCents;
  if (row.isReturn && isBooked(charge) && isKnownReturn) return [];
  const ourState = !isBooked(charge) ? "unpaid" : charge.leftCents > 0 ? "paid" : "returned";
  const differsBy =
    row.cents !== null && row.cents !== charge.cents && row.cents !== charge.buyerCents
      ? "amount"
      : row.isAmountUnread
        ? "amount-unread"
        : row.state !== null && row.state !== ourState
          ? "state"
          : row.state === null && ourState === "unpaid"
            ? "open"
            : null;
  if (!differsBy) return [];
  const { chargeId, canAsk, saleId, cents: ourCents } = charge;
  const { id, cents: theirCents, state: theirState } = row;
  return [{ chargeId, canAsk, id, saleId, theirCents, theirState, ourCents, ourState, differsBy }];
}

/**
 * Charges paid in the days that the statement covers and missing in it; null where it has no dates.
 * @param providers those whose payments it has; a statement of others has none of theirs. Empty where none is known
 * @param foundIds the providers' ids, in lower case, of what it names otherwise
 */
async function findMissing(
  sellerId: string,
  rows: StatementRow[],
  providers: string[],
  foundIds: string[],
): Promise<Comparison["missing"]> {
  const dated = rows.filter(({ day }) => day).sort((a, b) => timeOf(a) - timeOf(b));
  const [first, last] = [dated[0], dated.at(-1)];
  if (!first || !last) return null;
  const end = new Date(spanOf(last).end);
  const earliest = startOfDaysAgo(new Date(end.getTime() - 1), MAX_DAYS).getTime();
  const start = new Date(Math.max(spanOf(first).start, earliest));
  const isTheirs = providers.length > 0 ? inArray(sql`c.provider`, providers) : sql`true`;
  const ids = JSON.stringify([...rows.map(({ id }) => id.toLowerCase()), ...foundIds]);
  const found = await db.execute<MissingCharge & { count: number }>(sql`
    select c.provider_id as id, c.sale_id as "saleId", c.paid_cents as cents, c.paid_at::text as "paidAt",
      count(*) over ()::int as count
    from ${charges} c where c.seller_id = ${sellerId} and ${isTheirs}
      and c.paid_at >= ${start.toISOString()}::timestamptz
      and c.paid_at < ${end.toISOString()}::timestamptz
      and not (lower(c.provider_id) = any(select jsonb_array_elements_text(${ids}::jsonb)))
    order by c.paid_at limit ${MAX_LISTED}`);
  const listed = found.map(({ id, saleId, cents, paidAt }) => ({ id, saleId, cents, paidAt }));
  return { count: found[0]?.count ?? 0, listed, start, end };
}
