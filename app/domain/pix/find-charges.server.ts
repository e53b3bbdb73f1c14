import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { UNDECIDED_CARD } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { isPayable } from "#app/domain/charge/conditions.server.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { formatMinutes } from "#app/domain/order/unpaid-limit.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";

/** Codes of one order that one account did not create within the hour, after which each further one has to wait. */
const MAX_FAILURES = 6;
const PAUSE_SECONDS = (2 * MINUTE) / SECOND;

export type ExistingCharge = Awaited<ReturnType<typeof selectCharges>>[number];

/** A PIX that was not created within the last hour: at which account's key, and how many seconds ago. */
type FailedCharge = { gatewayKeyId: string | null; secondsAgo: number };

/**
 * A sale's charges. `existing`: those that have a code or may have one, and cards that are not decided: a payable one first,
 * then the newest. Read after the sale was locked, so that it contains what others wrote meanwhile.
 */
export async function findCharges(
  tx: Tx,
  sellerId: string,
  saleId: string,
): Promise<{ existing: ExistingCharge[]; failures: FailedCharge[] }> {
  const found = await selectCharges(tx, sellerId, saleId);
  const existing = found.filter(
    ({ status, failureKind }) => status !== "failed" || failureKind === "no-answer",
  );
  const failures = found.flatMap(({ gatewayKeyId, failedSecondsAgo }) =>
    failedSecondsAgo === null ? [] : [{ gatewayKeyId, secondsAgo: failedSecondsAgo }],
  );
  return { existing, failures };
}

function selectCharges(tx: Tx, sellerId: string, saleId: string) {
  const mayExistAtProvider = eq(charges.failureKind, "no-answer");
  const hasFailedLately = sql`(${charges.status} = 'failed' and ${charges.createdAt} > now() - interval '1 hour')`;
  const failedSecondsAgo = sql<
    number | null
  >`case when ${hasFailedLately} then extract(epoch from now() - ${charges.createdAt})::int end`;
  return tx
    .select({
      id: charges.id,
      method: charges.method,
      status: charges.status,
      failureKind: charges.failureKind,
      // By the database's clock: a web that is ahead would create a second code beside one that can be paid.
      isPayable,
      reference: charges.reference,
      gatewayKeyId: charges.gatewayKeyId,
      isBeingCreated: sql<boolean>`${charges.status} = 'creating' and ${charges.creatingUntil} > now()`,
      failedSecondsAgo,
    })
    .from(charges)
    .where(
      and(
        ownOfSale(charges, sellerId, saleId),
        or(
          and(
            eq(charges.method, "pix"),
            or(inArray(charges.status, ["creating", "open", "paid"]), mayExistAtProvider, hasFailedLately),
          ),
          and(eq(charges.method, "card"), inArray(charges.status, UNDECIDED_CARD)),
        ),
      ),
    )
    .orderBy(desc(isPayable), desc(charges.createdAt));
}

/** Whether its code was requested and the answer never came: the request timed out or its process died. */
export function isLost({ status, isBeingCreated }: ExistingCharge): boolean {
  return status === "failed" || (status === "creating" && !isBeingCreated);
}

/**
 * The accounts that may be asked for another code of an order: not those that have created none too often. Anybody who has the
 * order's address may request one, and each request is a call at the provider. Counted by key, so that a new key is tried at once.
 * @param gateways the seller's accounts, at least one
 * @param chargedNote what the refusal states about the buyer's money: see `chargedText`
 * @throws OrderRefusal too-many, with the seconds to wait, where none is left
 */
export function withoutExhausted<T extends { keyId: string }>(
  gateways: T[],
  failures: FailedCharge[],
  chargedNote: string,
): T[] {
  const waits = new Map(gateways.map(({ keyId }) => [keyId, secondsToWait(failures, keyId)]));
  const left = gateways.filter(({ keyId }) => waits.get(keyId) === 0);
  if (left.length > 0) return left;
  const seconds = Math.min(...waits.values());
  const message = `Não conseguimos gerar o PIX deste pedido em ${MAX_FAILURES} tentativas. ${chargedNote}. Tente de novo em ${formatMinutes(seconds)}.`;
  throw new OrderRefusal("too-many", message, { retryAfter: seconds });
}

/** Whether this account may not be asked for another code of the order yet. */
export function isExhausted(failures: FailedCharge[], keyId: string): boolean {
  return secondsToWait(failures, keyId) > 0;
}

function secondsToWait(failures: FailedCharge[], keyId: string): number {
  const ages = failures.flatMap((failed) => (failed.gatewayKeyId === keyId ? [failed.secondsAgo] : []));
  return ages.length < MAX_FAILURES ? 0 : Math.max(0, PAUSE_SECONDS - Math.min(...ages));
}
