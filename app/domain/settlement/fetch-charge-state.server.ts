import { and, isNull, or, type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import type { ChargeStatus } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { nextCheck, nextCheckUnanswered } from "#app/domain/charge/charge-check.server.ts";
import { unsealKeys, withKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { recordSettlement } from "#app/domain/sale/payment-latency.server.ts";
import { nextRefundCheck } from "#app/domain/settlement/book-reversal.server.ts";
import {
  type ChargeSnapshot,
  type CheckedCharge,
  findSnapshot,
} from "#app/domain/settlement/charge-snapshot.server.ts";
import { type CheckReservation, finishCheck } from "#app/domain/settlement/finish-check.server.ts";
import { type BookingOutcome, bookAnswer } from "#app/domain/settlement/settle-charge.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";

/** `asked`: the provider answered and its answer is booked; `gate`: checked too recently. `opensAt`: when it may be checked again. */
export type CheckOutcome =
  | { kind: "asked"; outcome: BookingOutcome; opensAt: Date }
  | { kind: "gate"; opensAt: Date }
  | { kind: "nothing" };

/**
 * The key that a charge was created with is refused, and the account's current one is of another account, which does not know the
 * charge: other charges of the account can be checked all the same.
 */
export class OtherAccountError extends ProviderError {}

/** For how long the gate is closed while a call runs; longer than the call may take. */
const CALL_RESERVATION = 15 * SECOND;
/** A process that is too busy to send its call within this drops it: the gate might open before the call is sent. */
const MAX_SEND_DELAY = 10 * SECOND;

/** `paced`: checks a booked payment even where nothing suggests that it changed. */
type CheckOptions = { paced: boolean };

/**
 * Fetches a charge's state from the provider and books it. The gate is one update in our database: whatever the number of
 * processes and tabs, the provider is called at most once per transaction and minute, counted from when a call was sent
 * at the latest.
 * @param snapshot the charge and its sale, where the caller has just read them
 * @throws ProviderError where the provider gave no usable answer
 */
export async function fetchChargeState(
  chargeId: string,
  snapshot?: ChargeSnapshot,
  { paced }: CheckOptions = { paced: false },
): Promise<CheckOutcome> {
  const read = snapshot ?? (await findSnapshot(chargeId));
  if (!read) return { kind: "nothing" };
  const { charge, sale } = read;
  const { sellerId } = sale;
  const isCharge = ownById(charges, sellerId, chargeId);
  // If the provider's answer to the creation was lost, its webhook still carries our reference and its id.
  const providerId = charge.providerId ?? charge.webhookProviderId;
  // A card payment whose answer was lost is found by our reference.
  if (!providerId && charge.method !== "card") return { kind: "nothing" };
  const isRoutineCheck = isBooked(charge) && !isChangeExpected(charge);
  const isDisputed = sale.status === "disputed" || charge.isExtraDisputed;
  if (isRoutineCheck && !paced && !isDisputed) return { kind: "nothing" };
  const provider = pick(providers, charge.provider);
  const keys = unsealKeys(charge.sealedKeys);
  if (!provider || keys.length === 0) {
    const nextCheckAt = nextCheckAfter(charge, new Date());
    // Otherwise `sweepCharges` would schedule this charge again each minute because of its webhook.
    await db
      .update(charges)
      .set({ checks: sql`${charges.checks} + 1`, nextCheckAt, lastCheckedAt: sql`now()` })
      .where(isCharge);
    return { kind: "nothing" };
  }
  const account = { sellerId, provider: charge.provider, usedKeys: charge.sealedKeys };
  const claimedAt = performance.now();
  const gate = await passGate(isCharge, provider, charge);
  if ("kind" in gate) return gate;
  if (performance.now() - claimedAt > MAX_SEND_DELAY)
    return { kind: "gate", opensAt: new Date(Date.now() + CALL_RESERVATION + provider.minCheckIntervalMs) };
  const calledAt = performance.now();
  // The database's clock, never ahead of it: the gate's answer took a moment to arrive.
  const databaseNow = () => new Date(gate.at.getTime() + performance.now() - calledAt);
  const elapsedMs = () => Math.round(performance.now() - calledAt);
  let isKeyAccepted = false;
  try {
    const found = await withKeys(keys, async (credentials) => {
      const known = providerId
        ? await provider.findTransaction(credentials, providerId, {
            method: charge.method,
            isBooked: isBooked(charge),
          })
        : ((await provider.cards?.findPayment(credentials, charge.reference)) ?? null);
      isKeyAccepted = true;
      account.usedKeys = [charge.sealedKeys[keys.indexOf(credentials)]!];
      return known;
    });
    // A card that was paid is not declined any more: its payment was cancelled.
    const isCancelled = isBooked(charge) && found?.state === "declined";
    const transaction = found && isCancelled ? { ...found, state: "cancelled" as const } : found;
    const [durationMs, at] = [elapsedMs(), databaseNow()];
    const outcome = await bookAnswer({ id: chargeId, sellerId, ...charge }, sale, providerId, transaction);
    if (outcome === "settled") recordSettlement(charge.paymentAnnouncedAt, databaseNow());
    const state = transaction?.challenge ? "challenged" : (transaction?.state ?? "unknown");
    const data = { state, word: truncate(transaction?.providerStatus ?? "", 40), tookMs: durationMs };
    // Routine checks are many in 90 days: an answer that changes nothing leaves an event only where it is another than the last.
    const isUnchanged = outcome === "still-paid" || (outcome === "disputed" && isDisputed);
    const unlessRepeated = isRoutineCheck && (isUnchanged || outcome === "not-refunded");
    const event = { kind: "asked", data, unlessRepeated } as const;
    await finishCheck(
      chargeId,
      event,
      { ...account, isKeyRefused: false },
      // One may be of a refund.
      transaction?.areRefundsUnread ? [] : charge.pendingWebhookIds,
      { state: transaction?.state ?? null, at },
      gate,
    );
    return {
      kind: "asked",
      outcome,
      opensAt: new Date(databaseNow().getTime() + provider.minCheckIntervalMs),
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ chargeId, kind: error.kind, error: error.message }, "charge check failed");
    const data = { why: error.kind, detail: truncate(error.message, 300), tookMs: elapsedMs() };
    const isOtherAccount = isKeyAccepted && error.kind === "credentials";
    // Of a replaced account nothing else says that its payments cannot be checked.
    const event =
      isRoutineCheck && !isOtherAccount
        ? null
        : ({ kind: "unanswered", data, unlessRepeated: isRoutineCheck } as const);
    // Without an answer the key's state is unknown.
    const isKeyRefused = isKeyAccepted ? false : error.kind === "credentials" || null;
    await finishCheck(
      chargeId,
      event,
      { ...account, isKeyRefused },
      [],
      { state: null, at: databaseNow() },
      // An unpaid charge is not given up without an answer, unless its key is refused for days.
      error.kind === "credentials" || isBooked(charge)
        ? gate
        : { ...gate, followUpAt: gate.followUpAt ?? nextCheckUnanswered(charge, gate.at) },
    );
    throw isOtherAccount ? new OtherAccountError(error.kind, error.message) : error;
  }
}

function isBooked({ status }: { status: ChargeStatus }): boolean {
  return status === "paid" || status === "mispaid";
}

/** A booked payment is checked only where it may have been refunded or corrected, and once more after a refused refund. */
function isChangeExpected({ lastRefund, nextCheckAt, isChangeAnnounced }: CheckedCharge): boolean {
  if (isChangeAnnounced) return true;
  if (lastRefund?.status === "pending" || lastRefund?.status === "unconfirmed") return true;
  return lastRefund?.status === "refused" && nextCheckAt !== null;
}

function nextCheckAfter(charge: CheckedCharge, now: Date): Date | null {
  if (!isBooked(charge)) return nextCheck(charge, now);
  // Its automatic refund waits for the bank's decision, which its paced checks find.
  const isAwaitingBank = charge.isExtraDisputed && charge.lastRefund?.isUnsent;
  return isAwaitingBank ? null : nextRefundCheck(charge.lastRefund, now);
}

/**
 * Reserves the call. Until the check ends, the next one is scheduled for when the gate opens again, in case this process
 * dies: also after the last one of an unpaid charge. A check that was scheduled since the charge was read is left as it is.
 */
async function passGate(
  isCharge: SQL,
  provider: Provider,
  charge: CheckedCharge,
): Promise<CheckOutcome | (CheckReservation & { at: Date })> {
  const hasNextCheck = nextCheckAfter(charge, new Date()) !== null;
  // One clock for all processes: the database's.
  const secondsUntil = (ms: number) => sql`make_interval(secs => ${ms / SECOND})`;
  const provisionalCheckAt =
    hasNextCheck || charge.pendingWebhookIds.length > 0 || !isBooked(charge)
      ? sql`date_trunc('milliseconds', now()) + ${secondsUntil(CALL_RESERVATION + provider.minCheckIntervalMs)}`
      : sql`null`;
  const [passed] = await db
    .update(charges)
    .set({
      lastCheckedAt: sql`now() + ${secondsUntil(CALL_RESERVATION)}`,
      checks: sql`${charges.checks} + 1`,
      nextCheckAt: sql`case when ${charges.nextCheckAt} is not distinct from ${charge.nextCheckAt?.toISOString() ?? null}::timestamptz
        then ${provisionalCheckAt} else ${charges.nextCheckAt} end`,
    })
    .where(
      and(
        isCharge,
        or(
          isNull(charges.lastCheckedAt),
          sql`${charges.lastCheckedAt} <= now() - ${secondsUntil(provider.minCheckIntervalMs)}`,
        ),
      ),
    )
    .returning({
      at: sql`now()`.mapWith(charges.lastCheckedAt),
      provisionalCheckAt: sql`${provisionalCheckAt}`.mapWith(charges.nextCheckAt) as SQL<Date | null>,
    });
  if (passed) {
    const at = passed.at as Date;
    return { at, provisionalCheckAt: passed.provisionalCheckAt, followUpAt: nextCheckAfter(charge, at) };
  }
  const [current] = await db.select({ at: charges.lastCheckedAt }).from(charges).where(isCharge);
  return {
    kind: "gate",
    opensAt: new Date((current?.at?.getTime() ?? Date.now()) + provider.minCheckIntervalMs),
  };
}
