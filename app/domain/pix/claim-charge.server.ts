import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { databaseTime } from "#app/db/columns.server.ts";
import { ownById } from "#app/db/conditions.server.ts";
import type { SaleStatus } from "#app/db/schema/lists.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasOtherPayable } from "#app/domain/charge/conditions.server.ts";
import { insertCharge } from "#app/domain/charge/move-charge.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { gatewayColumns, isAccountOf, listGateways } from "#app/domain/gateway/find-gateway.server.ts";
import { nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import { chargedText, OrderRefusal, paymentRefusal } from "#app/domain/order/order-refusal.ts";
import {
  payableOrderColumns,
  pixTotal,
  refuseUnpayable,
  reserveAgain,
} from "#app/domain/order/payable-order.server.ts";
import { type ExistingCharge, findCharges, isLost } from "#app/domain/pix/find-charges.server.ts";
import {
  type PreparedCharge,
  prepareCharge,
  prepareFirstCharge,
} from "#app/domain/pix/prepare-charge.server.ts";
import { isExhausted, withoutExhausted } from "#app/domain/pix/refuse-too-many-failures.server.ts";
import { canFindLostCode } from "#app/domain/pix/request-code.server.ts";
import { UNPAID } from "#app/domain/sale/states.ts";
import { SECOND } from "#app/kit/duration.ts";
import { notFound } from "#app/kit/refusal.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/** A card is being charged, or may have been: no code is created that could be paid as well. */
const CARD_PENDING_MESSAGE =
  "O seu pagamento com cartão ainda está sendo confirmado. Não pague de novo: esta página avisa assim que terminar.";

/**
 * A charge whose code the caller fetches. `claimedAt`: when its sale's state was read, by `performance.now`; `databaseOffset`: what
 * that is behind the database's clock, in ms.
 */
export type ClaimedCharge = PreparedCharge & {
  /** What a refusal states about the buyer's money: see `chargedText`. */
  chargedNote: string;
  chargeId: string;
  sellerId: string;
  saleStatus: SaleStatus;
  claimedAt: number;
  databaseOffset: number;
};

/** `reserve`: what the order needs before its code is shown, with its charge and its sale locked; see `reserveAgain`. */
export type LostCharge = ClaimedCharge & { reserve: (tx: Tx) => Promise<void> };

/**
 * Where a sale's code comes from. `exists`: it has one; `in-progress`: another request is creating one; `claimed`: the caller
 * creates one; `lost`: one was requested and the answer was lost, and the provider can find it; `none-left`: every account
 * that accepts it was tried.
 */
export type ChargeClaim =
  | { kind: "exists"; chargeId: string }
  | { kind: "in-progress"; chargeId: string; keyId: string | null; chargedNote: string }
  | ({ kind: "claimed" } & ClaimedCharge)
  | ({ kind: "lost" } & LostCharge)
  | { kind: "none-left" };

/** What was tried for the same buyer before. */
export type Tried = {
  /** A charge whose creation was never answered and that the provider does not know. */
  lostChargeId: string | null;
  /** The keys of accounts that created no code. */
  keyIds: string[];
  /** Whether one of them had reserved the order's places and its coupon for its code. */
  hasReserved: boolean;
};

/**
 * Decides, with the sale locked, where its code comes from. Inserts a new charge's row before the provider is called.
 * @throws Refusal where the sale gets no code: it is closed, its card is not decided, or `refuseUnpayable` and the like; too-many
 * where none was created too often
 */
export async function claimCharge(
  tx: Tx,
  saleId: string,
  { lostChargeId, keyIds, hasReserved }: Tried,
): Promise<ChargeClaim> {
  const claimedAt = performance.now();
  const { accounts, databaseOffset, ...sale } = await lockSale(tx, saleId);
  const { sellerId, amountCents, status: saleStatus, name, email, documentSealed } = sale;
  const chargedNote = chargedText(sale.order.hasReceived);
  const { existing, failures } = await findCharges(tx, sellerId, saleId);
  const earlier = findEarlierCode(saleStatus, existing, chargedNote);
  if (earlier) return earlier;
  if (existing.some(({ method }) => method === "card")) throw paymentRefusal(CARD_PENDING_MESSAGE);
  refuseUnpayable(sale.order, chargedNote);
  const gateways = listGateways(accounts);
  if (gateways.length === 0) throw new OrderRefusal("no-gateway", CANNOT_PAY);
  const document = documentSealed ? unseal(documentSealed) : null;
  // A further account belongs to the same attempt.
  const untried =
    keyIds.length > 0
      ? gateways.filter(({ keyId }) => !keyIds.includes(keyId) && !isExhausted(failures, keyId))
      : withoutExhausted(gateways, failures, chargedNote);
  const prepare = keyIds.length > 0 ? prepareFirstCharge : prepareCharge;
  const prepared = prepare(
    untried,
    amountCents,
    { name, email, document },
    { chargedNote, isUpsell: sale.parentSaleId !== null },
  );
  if (!prepared) return { kind: "none-left" };
  const reserve = (within: Tx) =>
    reserveAgain(within, { id: saleId, sellerId }, sale.order, chargedNote, { isSameAttempt: hasReserved });
  const { gateway, hasSpare, chargeRequest } = prepared;
  const tried = gateways.find(({ keyId }) => keyIds.includes(keyId));
  const insteadOf = tried ? nameWithArticle(tried.provider) : prepared.insteadOf;
  const claimFields = {
    sellerId,
    gateway,
    hasSpare,
    insteadOf,
    saleStatus,
    claimedAt,
    databaseOffset,
    chargedNote,
  };
  const gatewayKeyId = gateway.keyId;
  const lost = canFindLostCode(gateway)
    ? existing.find((charge) => charge.gatewayKeyId === gatewayKeyId)
    : undefined;
  // Nothing is reserved until it is found: only a charge that changes its state would return it.
  if (lost && lost.id !== lostChargeId && isLost(lost))
    return {
      kind: "lost",
      reserve,
      chargeId: lost.id,
      chargeRequest: { ...chargeRequest, reference: lost.reference },
      ...claimFields,
    };
  await reserve(tx);
  const { reference } = chargeRequest;
  const charge = { provider: gateway.provider.name, gatewayKeyId, reference, amountCents, insteadOf };
  const chargeId = await insertCharge(tx, { saleId, sellerId }, charge);
  return { kind: "claimed", chargeId, chargeRequest, ...claimFields };
}

/** Locks a sale, and reads what a code for it depends on. @throws Refusal not-found */
async function lockSale(tx: Tx, saleId: string) {
  // One row for each of the seller's enabled accounts.
  const rows = await tx
    .select({
      sellerId: sales.sellerId,
      status: sales.status,
      parentSaleId: sales.parentSaleId,
      amountCents: pixTotal,
      name: sales.customerName,
      email: sales.customerEmail,
      documentSealed: sales.customerDocumentSealed,
      databaseTime,
      order: payableOrderColumns,
      account: gatewayColumns,
    })
    .from(sales)
    .leftJoin(gatewayAccounts, isAccountOf(sales.sellerId))
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(sales.id, saleId))
    .for("no key update", { of: sales });
  const [sale] = rows;
  if (!sale) throw notFound("Compra não encontrada");
  const databaseOffset = sale.databaseTime - performance.now();
  return { ...sale, databaseOffset, accounts: rows.map(({ account }) => account) };
}

/** The code that a sale has, or that another request is creating; null where it needs one. @throws Refusal where it is closed */
function findEarlierCode(
  status: SaleStatus,
  existing: ExistingCharge[],
  chargedNote: string,
): ChargeClaim | null {
  const latest = existing.find((charge) => charge.method === "pix" && charge.status !== "failed");
  if (!UNPAID.includes(status)) {
    if (latest) return { kind: "exists", chargeId: latest.id };
    throw paymentRefusal("Esta compra já foi encerrada");
  }
  if (latest?.isPayable) return { kind: "exists", chargeId: latest.id };
  if (latest?.isBeingCreated)
    return { kind: "in-progress", chargeId: latest.id, keyId: latest.gatewayKeyId, chargedNote };
  return null;
}

/** Whether a sale still waits for this code. Read after it was locked: a card, or another code, may have come meanwhile. */
export async function isAwaited(
  tx: Tx,
  saleId: string,
  { chargeId, sellerId }: { chargeId: string; sellerId: string },
): Promise<boolean> {
  const [sale] = await tx
    .select({ status: sales.status, hasOther: hasOtherPayable(chargeId) })
    .from(sales)
    .where(ownById(sales, sellerId, saleId));
  return UNPAID.includes(sale!.status) && !sale!.hasOther;
}

/** Waits for a charge that another request is creating. `given-up`: its lease has ended, so that request is considered dead. */
export async function awaitCharge(chargeId: string): Promise<"created" | "failed" | "given-up"> {
  for (;;) {
    const [charge] = await db
      .select({ status: charges.status, isLeased: sql<boolean>`${charges.creatingUntil} > now()` })
      .from(charges)
      .where(eq(charges.id, chargeId));
    if (!charge || charge.status === "failed") return "failed";
    if (charge.status !== "creating") return "created";
    if (!charge.isLeased) return "given-up";
    await new Promise((resolve) => setTimeout(resolve, SECOND / 4));
  }
}
