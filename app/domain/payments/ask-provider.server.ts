import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, paymentWebhooks } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { bookReversal, nextRefundCheck, type PaidCharge } from "#app/domain/payments/book-reversal.server.ts";
import { openKeys, sealedKeys, withKeys } from "#app/domain/payments/charge-keys.server.ts";
import { endCharge } from "#app/domain/payments/end-charge.server.ts";
import { nextCheck } from "#app/domain/payments/next-check.ts";
import { providers } from "#app/domain/payments/providers/index.server.ts";
import {
  type Provider,
  ProviderError,
  type ProviderTransaction,
} from "#app/domain/payments/providers/port.ts";
import { settleCharge } from "#app/domain/payments/settle-charge.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";

/** `asked`: the provider answered and its answer is booked; `gate`: asked too recently, may be asked again at `opensAt`. */
export type Asked =
  | { kind: "asked"; outcome: string }
  | { kind: "gate"; opensAt: Date }
  | { kind: "nothing" };

/**
 * Asks the provider about a charge and books the answer. The gate is one update in our database: however many
 * processes and tabs call, the provider is asked at most once per transaction and minute.
 * @throws ProviderError where the provider gave no usable answer
 */
export async function askProvider(chargeId: string): Promise<Asked> {
  const [charge] = await db
    .select({
      status: charges.status,
      provider: charges.provider,
      providerId: charges.providerId,
      reference: charges.reference,
      createdAt: charges.createdAt,
      sealedKeys,
      refundStatus: charges.refundStatus,
      refundRequestedAt: charges.refundRequestedAt,
      refundAcceptedAt: charges.refundAcceptedAt,
      nextCheckAt: charges.nextCheckAt,
      toldReversal: sql<boolean>`exists (select from payment_webhooks w where w.charge_id = ${charges.id}
        and w.handled_at is null and w.status not in ('created', 'paid'))`,
      toldPaidAt:
        sql`(select max(w.received_at) from payment_webhooks w where w.charge_id = ${charges.id} and w.status = 'paid')`.mapWith(
          paymentWebhooks.receivedAt,
        ) as SQL<Date | null>,
      // What comes in while the provider is being asked is not answered by this question.
      news: sql<number[]>`array(select w.id::int from payment_webhooks w where w.charge_id = ${charges.id}
        and w.handled_at is null)`,
      toldId: sql<
        string | null
      >`(select w.provider_id from payment_webhooks w where w.charge_id = ${charges.id} order by w.id desc limit 1)`,
    })
    .from(charges)
    .innerJoin(sales, eq(sales.id, charges.saleId))
    .where(eq(charges.id, chargeId));
  // Where the provider's answer to the creation was lost, its webhook still carries our reference and its id.
  const providerId = charge?.providerId ?? charge?.toldId;
  if (!charge || !providerId) return { kind: "nothing" };
  if (charge.status === "paid" && !isReversalExpected(charge)) return { kind: "nothing" };
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
  const gate = await passGate(chargeId, provider, charge);
  if (gate) return gate;
  const transaction = await ask(chargeId, () =>
    withKeys(keys, (by) => provider.findTransaction(by, providerId)),
  );
  const outcome = await book(chargeId, charge, providerId, transaction);
  if (charge.news.length > 0)
    await db
      .update(paymentWebhooks)
      .set({ handledAt: new Date(), outcome })
      .where(inArray(paymentWebhooks.id, charge.news));
  return { kind: "asked", outcome };
}

/** A settled payment is asked about only where it may have gone back; after a refused refund once more. */
function isReversalExpected(
  charge: PaidCharge & { toldReversal: boolean; nextCheckAt: Date | null },
): boolean {
  const { refundStatus, nextCheckAt, toldReversal } = charge;
  if (refundStatus === "done") return false;
  if (refundStatus === "pending" || refundStatus === "unconfirmed") return true;
  return toldReversal || (refundStatus === "refused" && nextCheckAt !== null);
}

type AskedCharge = PaidCharge & {
  status: string;
  createdAt: Date;
  toldPaidAt: Date | null;
};

function nextCheckOf(charge: AskedCharge, now: Date): Date | null {
  return charge.status === "paid" ? nextRefundCheck(charge, now) : nextCheck(charge, now);
}

async function passGate(chargeId: string, provider: Provider, charge: AskedCharge): Promise<Asked | null> {
  const now = new Date();
  // One clock for all processes: the database's.
  const closedFor = sql`make_interval(secs => ${provider.askAtMostEvery / SECOND})`;
  const passed = await db
    .update(charges)
    .set({
      lastCheckedAt: sql`now()`,
      checks: sql`${charges.checks} + 1`,
      nextCheckAt: nextCheckOf(charge, now),
    })
    .where(
      and(
        eq(charges.id, chargeId),
        or(isNull(charges.lastCheckedAt), sql`${charges.lastCheckedAt} <= now() - ${closedFor}`),
      ),
    )
    .returning({ id: charges.id });
  if (passed.length > 0) return null;
  const [held] = await db.select({ at: charges.lastCheckedAt }).from(charges).where(eq(charges.id, chargeId));
  return { kind: "gate", opensAt: new Date((held?.at ?? now).getTime() + provider.askAtMostEvery) };
}

async function ask<T>(chargeId: string, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof ProviderError)
      log.warn({ chargeId, kind: error.kind, error: error.message }, "provider not asked");
    throw error;
  }
}

async function book(
  chargeId: string,
  charge: PaidCharge & { status: string; providerId: string | null; reference: string },
  askedFor: string,
  transaction: ProviderTransaction | null,
): Promise<string> {
  if (transaction && transaction.providerId !== askedFor) {
    log.error(
      { chargeId, askedFor, providerId: transaction.providerId },
      "provider answered about another transaction: not believed",
    );
    return "about another transaction";
  }
  if (charge.status === "paid") return bookReversal(chargeId, charge, transaction);
  if (!transaction) return "unknown to the provider";
  if (!charge.providerId && !transaction.webhookUrl?.includes(charge.reference)) {
    log.warn(
      { chargeId, providerId: transaction.providerId },
      "webhook names a transaction that is not this charge's",
    );
    return "not this charge's";
  }
  if (transaction.state === "paid") return settleCharge(chargeId, transaction);
  if (transaction.state === "ended")
    await endCharge(chargeId, transaction.word === "expired" ? "expired" : "cancelled");
  if (transaction.state === "unclear")
    log.warn({ chargeId, word: transaction.word }, "provider used a word we do not know");
  return `not paid (${transaction.word})`;
}
