import { and, eq } from "drizzle-orm";
import { type Db, db, type Tx } from "#app/db/client.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { keyedMutex } from "#app/db/keyed-mutex.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { lockChargeAndSale } from "#app/domain/charge/lock-charge.server.ts";
import { CREATION_LEASE, creationLeaseEnd, moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { recordAnswer, recordFailure } from "#app/domain/gateway/circuit-breaker.server.ts";
import { type CreatedCharge, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { queueGatewayTroubleMail } from "#app/domain/gateway/queue-gateway-trouble-mail.server.ts";
import {
  awaitCharge,
  type ClaimedCharge,
  claimCharge,
  isAwaited,
  type LostCharge,
  type Tried,
} from "#app/domain/pix/claim-charge.server.ts";
import {
  failCharge,
  failOrder,
  failureMessage,
  unavailableMessage,
} from "#app/domain/pix/fail-pix.server.ts";
import { addPixMail, queuePixMail } from "#app/domain/pix/queue-pix-mail.server.ts";
import { recordLookupFailure } from "#app/domain/pix/record-lookup-failure.server.ts";
import { fetchBeforeSpare, findLostCode, requestCode } from "#app/domain/pix/request-code.server.ts";
import { reopenSale } from "#app/domain/sale/fail-sale.server.ts";
import {
  queueFailedPaymentMail,
  toFailedPayment,
} from "#app/domain/sale/mails/queue-failed-payment-mail.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

type OwnCharge = Pick<ClaimedCharge, "chargeId" | "sellerId">;

/**
 * Returns a sale's payable PIX, and creates one if it has none. The charge's row is written before the provider's call and
 * after it, with no transaction open during the call. Concurrent calls for one sale share one charge.
 * @throws Refusal not-found; conflict where the product is not for sale any more or the provider does not accept such a
 * payment; unavailable, with a message for the buyer, where the provider gave no code
 * @param claim the charge that a new order was placed with: its row exists, and only the caller fetches its code
 */
export async function startPix(saleId: string, claim?: ClaimedCharge): Promise<{ chargeId: string }> {
  const tried = { lostChargeId: null, keyIds: [], hasReserved: false };
  return claim ? createCode(saleId, claim, tried) : startOrJoin(saleId, tried);
}

async function startOrJoin(saleId: string, tried: Tried): Promise<{ chargeId: string }> {
  const started = await startUntried(saleId, tried);
  if (!started) throw new Error("no account was tried");
  return started;
}

/**
 * @param failLast fails the charge that was tried last, in the transaction that claims the next one: between two, another order
 * could take what it had reserved
 * @returns null where no account is left to try
 */
async function startUntried(
  saleId: string,
  tried: Tried,
  failLast?: (tx: Tx) => Promise<void>,
): Promise<{ chargeId: string } | null> {
  const claimNext = async (tx: Tx) => {
    await failLast?.(tx);
    return claimCharge(tx, saleId, tried);
  };
  const claiming = keyedMutex(saleId, () => db.transaction(claimNext));
  const claim = await claiming.catch(async (error: unknown) => {
    // The error of the claim is its caller's; a charge that stays is failed by the sweep.
    if (failLast)
      await db
        .transaction(failLast)
        .catch((failure: unknown) => log.warn({ saleId, err: failure }, "charge not failed"));
    throw error;
  });
  if (claim.kind === "none-left") return null;
  const { kind, chargeId } = claim;
  if (kind === "exists") return { chargeId };
  if (kind === "in-progress") {
    const outcome = await awaitCharge(chargeId);
    if (outcome === "created") return { chargeId };
    if (outcome === "given-up") return startUntried(saleId, tried);
    // The request that created it goes on with the next account, if there is one.
    const next =
      claim.keyId && (await startUntried(saleId, { ...addTried(tried, claim.keyId), hasReserved: true }));
    if (next) return next;
    throw new Refusal("unavailable", unavailableMessage(claim.chargedNote));
  }
  if (kind === "claimed") return createCode(saleId, claim, tried);
  return adoptLostCode(saleId, claim, tried);
}

function addTried(tried: Tried, keyId: string): Tried {
  return { ...tried, keyIds: [...tried.keyIds, keyId] };
}

/**
 * Requests a code, and where an account creates none, at the seller's other accounts. A code that was never shown cannot be
 * paid, so the buyer pays one code even where the first provider created one and its answer was lost.
 */
async function createCode(saleId: string, claim: ClaimedCharge, tried: Tried): Promise<{ chargeId: string }> {
  const { chargeId, gateway, hasSpare, chargeRequest } = claim;
  const stopRenewing = renewLease(claim);
  const request = () => requestCode(gateway, chargeRequest);
  const requestOne = () => (hasSpare ? fetchBeforeSpare(request) : request());
  try {
    const isOpen = await openCharge(saleId, claim, () => requestOne().finally(stopRenewing));
    recordAnswer(gateway.keyId);
    if (isOpen) return { chargeId };
    const late = new ProviderError("no-answer", "came after the order went on otherwise");
    await db.transaction((tx) => failCharge(tx, claim, late));
    return startOrJoin(saleId, tried);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ saleId, chargeId, kind: error.kind, error: error.message }, "pix not created");
    if (error.kind === "refused") recordAnswer(gateway.keyId);
    else recordFailure(gateway.keyId, gateway.provider.name);
    if (hasSpare) {
      const others = { ...addTried(tried, gateway.keyId), hasReserved: true };
      const failLast = (tx: Tx) => failCharge(tx, claim, error);
      const next = await startUntried(saleId, others, failLast).catch(async (nextError: unknown) => {
        // What failed last may pass by itself; a refused key does not.
        if (nextError instanceof Refusal && nextError.kind === "unavailable" && error.kind === "credentials")
          await queueFailedPaymentMail(db, saleId, toFailedPayment(gateway.provider.name, error));
        throw nextError;
      });
      if (next) {
        // The buyer pays, and nothing else tells the seller.
        if (error.kind === "credentials")
          await queueGatewayTroubleMail(claim.sellerId, gateway, { topic: "refused-key" });
        return next;
      }
    }
    await failOrder(saleId, claim, error);
    throw new Refusal("unavailable", failureMessage(error, claim.chargedNote));
  }
}

/**
 * Opens the code that the provider had created; concurrent lookups find the same one. Where it had not, a new one is requested,
 * and where it does not say so, at the seller's other accounts.
 * @throws Refusal conflict where the order's offer or coupon cannot be used any more
 */
async function adoptLostCode(
  saleId: string,
  claim: LostCharge,
  tried: Tried,
): Promise<{ chargeId: string } | null> {
  const { chargeId, gateway, hasSpare, chargeRequest } = claim;
  const find = () => findLostCode(gateway, chargeRequest);
  try {
    const isOpen = await openCharge(
      saleId,
      claim,
      () => (hasSpare ? fetchBeforeSpare(find) : find()),
      claim.reserve,
    );
    if (isOpen) return { chargeId };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ saleId, chargeId, kind: error.kind, error: error.message }, "lost code not found");
    if (error.kind !== "nonsense" && error.kind !== "refused") {
      recordFailure(gateway.keyId, gateway.provider.name);
      await recordLookupFailure(claim, error);
      const next = hasSpare && (await startUntried(saleId, addTried(tried, gateway.keyId)));
      if (next) return next;
      throw new Refusal("unavailable", failureMessage(error, claim.chargedNote));
    }
  }
  return startUntried(saleId, { ...tried, lostChargeId: chargeId });
}

/** Renews the lease of the creation while the provider is being called. @returns a function that stops it */
function renewLease({ chargeId, sellerId }: OwnCharge): () => void {
  const timer = setInterval(() => {
    db.update(charges)
      .set({ creatingUntil: creationLeaseEnd })
      .where(and(ownById(charges, sellerId, chargeId), eq(charges.status, "creating")))
      .catch((error: unknown) => log.warn({ chargeId, err: error }, "creation lease not renewed"));
  }, CREATION_LEASE / 3);
  return () => clearInterval(timer);
}

/**
 * Opens a charge with the code that `fetchCode` returns.
 * @param reserve is called before, in the same transaction
 * @returns whether it is open: not where it returned none, nor where the order was paid meanwhile or may be by another charge
 */
async function openCharge(
  saleId: string,
  { chargeId, sellerId, gateway, saleStatus, claimedAt, databaseOffset, chargeRequest }: ClaimedCharge,
  fetchCode: () => Promise<CreatedCharge | null>,
  reserve?: LostCharge["reserve"],
): Promise<boolean> {
  const startedAt = performance.now();
  const code = await fetchCode();
  if (!code) return false;
  const { providerId, pixCode, expiresAt } = code;
  const move = {
    to: "open" as const,
    providerId,
    pixCode,
    expiresAt: expiresAt ?? new Date(performance.now() + databaseOffset + gateway.provider.codeLifetimeMs),
    tookMs: Math.round(performance.now() - startedAt),
  };
  const { expiresAt: codeExpiresAt } = move;
  const pix = { pixCode, expiresAt: codeExpiresAt.toISOString(), notice: gateway.provider.warning ?? null };
  const open = async (tx: Db, extraParts?: Parameters<typeof moveCharge>[4]) => {
    // `sweepCharges` may have failed it meanwhile; the code is valid all the same.
    for (const status of ["creating", "failed"] as const)
      if (await moveCharge(tx, { id: chargeId, sellerId, status }, move, "provider", extraParts)) break;
    return true;
  };
  // After the lease ended, others may have changed the sale.
  const isUnchanged = !reserve && saleStatus === "pending" && performance.now() - claimedAt < CREATION_LEASE;
  const opened = isUnchanged
    ? open(db, (statement, moved) => addPixMail(statement, moved, pix))
    : db.transaction(async (tx) => {
        // Before the order's places and its coupon, as those who claim a charge lock them.
        await lockChargeAndSale(tx, chargeId, sellerId);
        if (!(await isAwaited(tx, saleId, { chargeId, sellerId }))) return false;
        await reserve?.(tx);
        await open(tx);
        await reopenSale(tx, sellerId, saleId);
        await queuePixMail(tx, { id: saleId, sellerId }, pix);
        return true;
      });
  const isOpen = await opened.catch((error: unknown) => {
    if (!isUniqueViolation(error, "charges_provider_id_key")) throw error;
    throw new ProviderError("nonsense", `returned an id that another PIX has: ${providerId}`);
  });
  log.info({ saleId, chargeId, providerId, amountCents: chargeRequest.amountCents, isOpen }, "pix created");
  return isOpen;
}
