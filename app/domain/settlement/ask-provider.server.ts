import { type AnyColumn, and, eq, type GetColumnData, isNull, or, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { readJsonColumn } from "#app/db/read-json.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { paymentWebhooks } from "#app/db/schema/payment-webhooks.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { openKeys, sealedKeys, withKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { countSettled } from "#app/domain/sale/payment-times.server.ts";
import { type SaleContacts, saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { type Booked, bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import { type LastRefund, nextRefundCheck } from "#app/domain/settlement/book-reversal.server.ts";
import { closeQuestion, type Reopening } from "#app/domain/settlement/close-question.server.ts";
import { nextCheck } from "#app/domain/settlement/next-check.ts";
import { cut } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";

/** `asked`: the provider answered and its answer is booked; `gate`: asked too recently. It may be asked again at `opensAt`. */
export type Asked =
  | { kind: "asked"; outcome: Booked; opensAt: Date }
  | { kind: "gate"; opensAt: Date }
  | { kind: "nothing" };

/** What a statement of charges and their sales reads of a charge that is to be asked about. */
export const askedColumns = {
  status: charges.status,
  amountCents: charges.amountCents,
  provider: charges.provider,
  providerId: charges.providerId,
  reference: charges.reference,
  createdAt: charges.createdAt,
  sealedKeys,
  nextCheckAt: charges.nextCheckAt,
  lastRefund: sql<LastRefund>`(
        select json_build_object('status', r.status, 'requestedAt', r.requested_at, 'acceptedAt', r.accepted_at)
        from refunds r where r.charge_id = ${charges.id} order by (r.status = 'pending') desc, r.requested_at desc limit 1)`.mapWith(
    readRefund,
  ),
  // No `exists`: Postgres may answer that from a table of all news that wait.
  toldReversal: sql<boolean>`coalesce((select true from payment_webhooks w where w.charge_id = ${charges.id}
        and w.handled_at is null and w.state not in ('open', 'paid') limit 1), false)`,
  toldPaidAt:
    sql`(select max(w.received_at) from payment_webhooks w where w.charge_id = ${charges.id} and w.state = 'paid')`.mapWith(
      paymentWebhooks.receivedAt,
    ) as SQL<Date | null>,
  // What comes in while the provider is being asked is not answered by this question.
  news: sql<string[]>`array(select w.id::text from payment_webhooks w where w.charge_id = ${charges.id}
        and w.handled_at is null)`,
  toldId: sql<
    string | null
  >`(select w.provider_id from payment_webhooks w where w.charge_id = ${charges.id} order by w.id desc limit 1)`,
};

/** A charge as it was read to be asked about, and who is told of its sale's payment. */
export type Read = { charge: AskedCharge; sale: SaleContacts };

type AskedCharge = {
  [K in keyof typeof askedColumns]: (typeof askedColumns)[K] extends SQL<infer T>
    ? T
    : (typeof askedColumns)[K] extends AnyColumn
      ? GetColumnData<(typeof askedColumns)[K]>
      : never;
};

/** While a question is under way the gate is shut for so long; longer than the call may take. */
const QUESTION_TAKES = 15 * SECOND;
/** A process too busy to send its question within this gives it up: the gate might open before it left. */
const MUST_LEAVE_WITHIN = 10 * SECOND;

/** Why a question is put: `paced` also where nothing says that a booked payment may have gone back. */
type Why = { paced: boolean };

/**
 * Asks the provider about a charge and books the answer. The gate is one update in our database: however many
 * processes and tabs call, the provider is asked at most once per transaction and minute, counted from when a question
 * has left at the latest.
 * @param read the charge and its sale, where the caller has just read them
 * @throws ProviderError where the provider gave no usable answer
 */
export async function askProvider(
  chargeId: string,
  read?: Read,
  { paced }: Why = { paced: false },
): Promise<Asked> {
  const found = read ?? (await findAsked(chargeId));
  if (!found) return { kind: "nothing" };
  const { charge, sale } = found;
  // Where the provider's answer to the creation was lost, its webhook still carries our reference and its id.
  const providerId = charge.providerId ?? charge.toldId;
  if (!providerId) return { kind: "nothing" };
  const isRoutine = isBooked(charge) && !isReversalExpected(charge);
  const isDisputed = sale.status === "disputed";
  if (isRoutine && !paced && !isDisputed) return { kind: "nothing" };
  const provider = pick(providers, charge.provider);
  const keys = openKeys(charge.sealedKeys);
  if (!provider || keys.length === 0) {
    const nextCheckAt = nextCheckOf(charge, new Date());
    await db
      .update(charges)
      .set({ checks: sql`${charges.checks} + 1`, nextCheckAt })
      .where(eq(charges.id, chargeId));
    return { kind: "nothing" };
  }
  const account = { sellerId: sale.sellerId, provider: charge.provider };
  const claimedAt = performance.now();
  const gate = await passGate(chargeId, provider, charge);
  if ("kind" in gate) return gate;
  if (performance.now() - claimedAt > MUST_LEAVE_WITHIN)
    return { kind: "gate", opensAt: new Date(Date.now() + QUESTION_TAKES + provider.askAtMostEvery) };
  const askedAt = performance.now();
  // By the database's clock, and never later than it is: the gate's answer took a moment to get here.
  const atNow = () => new Date(gate.at.getTime() + performance.now() - askedAt);
  const tookMs = () => Math.round(performance.now() - askedAt);
  try {
    const transaction = await withKeys(keys, (by) => provider.findTransaction(by, providerId));
    const [took, at] = [tookMs(), atNow()];
    const outcome = await bookAnswer({ id: chargeId, ...charge }, sale, providerId, transaction);
    if (outcome === "settled") countSettled(charge.toldPaidAt, atNow());
    const state = transaction?.state ?? "unknown";
    const data = { state, word: cut(transaction?.word ?? "", 40), tookMs: took };
    // That a payment is still there, as at each of the many checks of its 90 days, is no line in its history.
    const isAsKnown = outcome === "still-paid" || (outcome === "disputed" && isDisputed);
    const isAsBefore = isRoutine && (isAsKnown || transaction === null);
    const fact = isAsBefore ? null : ({ kind: "asked", data } as const);
    await closeQuestion(
      chargeId,
      fact,
      { ...account, isKeyRefused: false },
      charge.news,
      { state: transaction?.state ?? null, at },
      gate,
    );
    return { kind: "asked", outcome, opensAt: new Date(atNow().getTime() + provider.askAtMostEvery) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ chargeId, kind: error.kind, error: error.message }, "provider not asked");
    const data = { why: error.kind, detail: cut(error.message, 300), tookMs: tookMs() };
    const fact = isRoutine ? null : ({ kind: "unanswered", data } as const);
    // Without an answer nothing is known of the key.
    const isKeyRefused = error.kind === "credentials" || null;
    await closeQuestion(chargeId, fact, { ...account, isKeyRefused }, [], { state: null, at: atNow() }, gate);
    throw error;
  }
}

async function findAsked(chargeId: string): Promise<Read | undefined> {
  const [found] = await db
    .select({ charge: askedColumns, sale: saleContacts })
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(charges.id, chargeId));
  return found;
}

function readRefund(value: unknown): LastRefund {
  const raw = readJsonColumn<{
    status: NonNullable<LastRefund>["status"];
    requestedAt: string;
    acceptedAt: string | null;
  }>(value);
  const acceptedAt = raw.acceptedAt === null ? null : new Date(raw.acceptedAt);
  return { status: raw.status, requestedAt: new Date(raw.requestedAt), acceptedAt };
}

function isBooked({ status }: { status: ChargeStatus }): boolean {
  return status === "paid" || status === "mispaid";
}

/** A booked payment is asked about only where it may have gone back; after a refused refund once more. */
function isReversalExpected({ lastRefund, nextCheckAt, toldReversal }: AskedCharge): boolean {
  if (toldReversal) return true;
  if (lastRefund?.status === "pending" || lastRefund?.status === "unconfirmed") return true;
  return lastRefund?.status === "refused" && nextCheckAt !== null;
}

function nextCheckOf(charge: AskedCharge, now: Date): Date | null {
  return isBooked(charge) ? nextRefundCheck(charge.lastRefund, now) : nextCheck(charge, now);
}

/**
 * Until the question is closed the next look is when the gate opens again: whoever dies in the middle is followed soon.
 * What was asked for since the charge was read stays.
 */
async function passGate(
  chargeId: string,
  provider: Provider,
  charge: AskedCharge,
): Promise<Asked | (Reopening & { at: Date })> {
  const isNext = nextCheckOf(charge, new Date()) !== null;
  // One clock for all processes: the database's.
  const secondsUntil = (ms: number) => sql`make_interval(secs => ${ms / SECOND})`;
  const reopens =
    isNext || charge.news.length > 0
      ? sql`date_trunc('milliseconds', now()) + ${secondsUntil(QUESTION_TAKES + provider.askAtMostEvery)}`
      : sql`null`;
  const [passed] = await db
    .update(charges)
    .set({
      lastCheckedAt: sql`now() + ${secondsUntil(QUESTION_TAKES)}`,
      checks: sql`${charges.checks} + 1`,
      nextCheckAt: sql`case when ${charges.nextCheckAt} is not distinct from ${charge.nextCheckAt?.toISOString() ?? null}::timestamptz
        then ${reopens} else ${charges.nextCheckAt} end`,
    })
    .where(
      and(
        eq(charges.id, chargeId),
        or(
          isNull(charges.lastCheckedAt),
          sql`${charges.lastCheckedAt} <= now() - ${secondsUntil(provider.askAtMostEvery)}`,
        ),
      ),
    )
    .returning({
      at: sql`now()`.mapWith(charges.lastCheckedAt),
      reopens: sql`${reopens}`.mapWith(charges.nextCheckAt) as SQL<Date | null>,
    });
  if (passed) {
    const at = passed.at as Date;
    return { at, reopens: passed.reopens, next: nextCheckOf(charge, at) };
  }
  const [held] = await db.select({ at: charges.lastCheckedAt }).from(charges).where(eq(charges.id, chargeId));
  return { kind: "gate", opensAt: new Date((held?.at?.getTime() ?? Date.now()) + provider.askAtMostEvery) };
}
