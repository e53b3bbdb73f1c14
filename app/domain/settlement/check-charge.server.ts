import { type SQL, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { isTooLate, readClaimTime } from "#app/domain/charge/claim-time.ts";
import { expireCharge, isOverdue } from "#app/domain/charge/end-charge.server.ts";
import { nextCheckUnanswered } from "#app/domain/charge/next-check-unanswered.server.ts";
import { unsealKeys, withKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { type Credentials, type Provider, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { recordSettlement } from "#app/domain/sale/payment-latency.server.ts";
import { isBooked } from "#app/domain/sale/states.ts";
import { type BookingOutcome, bookAnswer } from "#app/domain/settlement/book-answer.server.ts";
import {
  type ChargeSnapshot,
  type CheckedCharge,
  findSnapshot,
} from "#app/domain/settlement/charge-snapshot.server.ts";
import {
  CALL_RESERVATION,
  type CheckReservation,
  type ClosedGate,
  finishCheck,
  nextCheckAfter,
  passGate,
} from "#app/domain/settlement/check-gate.server.ts";
import { truncate } from "#app/kit/clean-text.ts";
import { pick } from "#app/kit/pick.ts";
import { log } from "#app/platform/log.server.ts";

/**
 * `checked`: the provider answered and its answer is booked; `gate`: checked too recently. `opensAt`: when it may be checked again;
 * `hasOpenRefunds`: as its provider says (`ProviderTransaction`).
 */
export type CheckOutcome =
  | { kind: "checked"; outcome: BookingOutcome; opensAt: Date; hasOpenRefunds?: true }
  | ClosedGate
  | { kind: "nothing" };

/**
 * The key that a charge was created with is refused, and the account's current one is of another account, which does not know the
 * charge: other charges of the account can be checked all the same.
 */
export class OtherAccountError extends ProviderError {}

/**
 * Fetches a charge's state from the provider and books it, unless the gate is closed (`passGate`) or nothing suggests that the
 * state has changed.
 * @param snapshot the charge and its sale, where the caller has just read them
 * @param evenIfUnchanged checks a booked payment even where nothing suggests that it changed
 * @throws ProviderError where the provider gave no usable answer
 */
export async function checkCharge(
  chargeId: string,
  {
    snapshot,
    evenIfUnchanged = false,
  }: { snapshot?: ChargeSnapshot | undefined; evenIfUnchanged?: boolean } = {},
): Promise<CheckOutcome> {
  const read = snapshot ?? (await findSnapshot(chargeId));
  if (!read) return { kind: "nothing" };
  const { charge, sale } = read;
  const isCharge = ownById(charges, sale.sellerId, chargeId);
  // If the provider's answer to the creation was lost, its webhook still carries our reference and its id.
  const providerId = charge.providerId ?? charge.webhookProviderId;
  // A card payment whose answer was lost is found by our reference.
  if (!providerId && charge.method !== "card") return { kind: "nothing" };
  const isRoutine = isBooked(charge) && !isChangeExpected(charge);
  const isDisputed = sale.status === "disputed" || charge.isExtraDisputed;
  if (isRoutine && !evenIfUnchanged && !isDisputed) return { kind: "nothing" };
  const provider = pick(providers, charge.provider);
  const keys = unsealKeys(charge.sealedKeys);
  if (!provider || keys.length === 0) {
    await skipCheck(isCharge, charge);
    return { kind: "nothing" };
  }
  const claimedAt = readClaimTime();
  const gate = await passGate(isCharge, provider, charge);
  if ("kind" in gate) return gate;
  // The gate might open before the call is sent.
  if (isTooLate(claimedAt))
    return { kind: "gate", opensAt: new Date(Date.now() + CALL_RESERVATION + provider.minCheckIntervalMs) };
  const call = { startedAt: performance.now(), acceptedKey: null, isNotAllowed: false };
  const check = { chargeId, charge, sale, providerId, isRoutine, isDisputed, gate, provider, keys, call };
  try {
    return await bookState(check);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw await recordNoAnswer(check, error);
  }
}

/**
 * A check's call. `acceptedKey`: the key that the provider accepted, as it is sealed; `isNotAllowed`: the account's current key
 * may not ask about this charge, which was created with another one.
 */
type Call = { startedAt: number; acceptedKey: string | null; isNotAllowed: boolean };

/** A check that has passed the gate. `isRoutine`: nothing suggests that the booked payment has changed. */
type Check = ChargeSnapshot & {
  chargeId: string;
  providerId: string | null;
  isRoutine: boolean;
  isDisputed: boolean;
  gate: CheckReservation;
  provider: Provider;
  keys: Credentials[];
  call: Call;
};

/** Calls the provider and books its answer. */
async function bookState(check: Check): Promise<CheckOutcome> {
  const { chargeId, charge, sale, providerId, isRoutine, isDisputed, gate, provider, call } = check;
  const found = await findTransaction(check);
  // A card that was paid is not declined any more: its payment was cancelled.
  const isCancelled = isBooked(charge) && found?.state === "declined";
  const transaction = found && isCancelled ? { ...found, state: "cancelled" as const } : found;
  const [tookMs, at] = [elapsedMs(call), databaseNow(check)];
  const answered = { id: chargeId, sellerId: sale.sellerId, ...charge };
  const outcome = await bookAnswer(answered, sale, providerId, transaction);
  // Not every provider reports the end of a code.
  const isUnpaid = outcome === "not-paid" && transaction?.state === "open" && !transaction.isProcessing;
  if (isUnpaid && isOverdue(charge, at)) await expireCharge(answered);
  if (outcome === "settled") recordSettlement(charge.paymentAnnouncedAt, databaseNow(check));
  const state = transaction?.challenge ? "challenged" : (transaction?.state ?? "unknown");
  const data = { state, word: truncate(transaction?.providerStatus ?? "", 40), tookMs };
  // Routine checks are many in 90 days: an answer that changes nothing leaves an event only where it is another than the last.
  const isUnchanged = outcome === "still-paid" || (outcome === "disputed" && isDisputed);
  const unlessRepeated = isRoutine && (isUnchanged || outcome === "not-refunded");
  await finishCheck(
    { chargeId, sellerId: sale.sellerId, provider: charge.provider },
    {
      event: { kind: "asked", data, unlessRepeated },
      state: transaction?.state ?? null,
      at,
      // One may be of a refund.
      webhookIds: transaction?.areRefundsUnread ? [] : charge.pendingWebhookIds,
      usedKeys: usedKeys(check),
      isKeyRefused: false,
    },
    gate,
  );
  return {
    kind: "checked",
    outcome,
    opensAt: new Date(databaseNow(check).getTime() + provider.minCheckIntervalMs),
    ...(transaction?.hasOpenRefunds && { hasOpenRefunds: true }),
  };
}

/**
 * Finds the charge's transaction, by the provider's id or by our reference; null where the provider does not know it. A key that
 * may not ask about the charge it created is as good as refused: no payment of it is confirmed. Of another key that says nothing.
 */
function findTransaction({ charge, providerId, provider, keys, call }: Check) {
  const find = async (credentials: Credentials) =>
    providerId
      ? await provider.findTransaction(credentials, providerId, {
          method: charge.method,
          isBooked: isBooked(charge),
        })
      : ((await provider.cards?.findPayment(credentials, charge.reference)) ?? null);
  return withKeys(keys, async (credentials) => {
    try {
      const known = await find(credentials);
      call.acceptedKey = charge.sealedKeys[keys.indexOf(credentials)]!;
      return known;
    } catch (error) {
      call.isNotAllowed = error instanceof ProviderError && error.isOfCall && credentials !== keys[0];
      if (call.isNotAllowed) return null;
      throw error;
    }
  });
}

/** Ends a check that got no usable answer. @returns the error to throw */
async function recordNoAnswer(check: Check, error: ProviderError): Promise<ProviderError> {
  const { chargeId, charge, sale, isRoutine, gate, call } = check;
  log.warn({ chargeId, kind: error.kind, error: error.message }, "charge check failed");
  const data = { why: error.kind, detail: truncate(error.message, 300), tookMs: elapsedMs(call) };
  const isKeyAccepted = call.acceptedKey !== null;
  const isOtherAccount = (isKeyAccepted || call.isNotAllowed) && error.kind === "credentials";
  // Of a replaced account nothing else says that its payments cannot be checked.
  const isRecorded = !isRoutine || isOtherAccount;
  await finishCheck(
    { chargeId, sellerId: sale.sellerId, provider: charge.provider },
    {
      event: isRecorded ? { kind: "unanswered", data, unlessRepeated: isRoutine } : null,
      state: null,
      at: databaseNow(check),
      webhookIds: [],
      usedKeys: usedKeys(check),
      // Without an answer the key's state is unknown.
      isKeyRefused: isKeyAccepted ? false : error.kind === "credentials" || null,
    },
    // An unpaid charge is not given up without an answer, unless its key is refused for days.
    error.kind === "credentials" || isBooked(charge)
      ? gate
      : { ...gate, followUpAt: nextCheckUnanswered(charge, gate.at, gate.followUpAt) },
  );
  return isOtherAccount ? new OtherAccountError(error.kind, error.message) : error;
}

/** Counts a check that cannot be made. Otherwise `sweepCharges` would schedule it again each minute because of its webhook. */
async function skipCheck(isCharge: SQL, charge: CheckedCharge): Promise<void> {
  const [clock] = await db
    .select({ now: sql`now()`.mapWith(charges.createdAt) })
    .from(charges)
    .where(isCharge);
  if (!clock) return;
  await db
    .update(charges)
    .set({
      checks: sql`${charges.checks} + 1`,
      nextCheckAt: nextCheckAfter(charge, clock.now),
      lastCheckedAt: sql`now()`,
    })
    .where(isCharge);
}

function usedKeys({ charge, call }: Check): string[] {
  if (call.acceptedKey !== null) return [call.acceptedKey];
  return call.isNotAllowed ? charge.sealedKeys.slice(0, 1) : charge.sealedKeys;
}

function elapsedMs({ startedAt }: Call): number {
  return Math.round(performance.now() - startedAt);
}

/** The database's clock, never ahead of it: the gate's answer took a moment to arrive. */
function databaseNow({ gate, call }: Check): Date {
  return new Date(gate.at.getTime() + performance.now() - call.startedAt);
}

/** A booked payment is checked only where it may have been refunded or corrected, and once more after a refused refund. */
function isChangeExpected({ lastRefund, nextCheckAt, isChangeAnnounced }: CheckedCharge): boolean {
  if (isChangeAnnounced) return true;
  if (lastRefund?.status === "pending" || lastRefund?.status === "unconfirmed") return true;
  return lastRefund?.status === "refused" && nextCheckAt !== null;
}
