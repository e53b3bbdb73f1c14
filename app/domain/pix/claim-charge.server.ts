import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import type { SaleStatus } from "#app/db/schema/lists.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { isAnnounced } from "#app/domain/charge/find-standing.server.ts";
import { isPayable } from "#app/domain/charge/is-payable.server.ts";
import { insertCharge } from "#app/domain/charge/move-charge.server.ts";
import { CANNOT_PAY } from "#app/domain/gateway/cannot-pay.ts";
import { gatewayColumns, isAccountOf, openFirst } from "#app/domain/gateway/find-gateway.server.ts";
import { isForSale } from "#app/domain/order/is-for-sale.server.ts";
import { chargedSoFar } from "#app/domain/order/nothing-charged.ts";
import { OrderRefusal } from "#app/domain/order/order-refusal.ts";
import { canFindLostCode } from "#app/domain/pix/ask-for-code.server.ts";
import { type Asking, askingFor } from "#app/domain/pix/first-charge.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { unseal } from "#app/platform/secrets.server.ts";

const notForSale = (charged: string) =>
  `Este produto não está mais à venda. ${charged}: se você já pagou um código anterior, o pagamento será reconhecido.`;
const EMPTIED = "Os dados deste pedido foram apagados. Faça um novo pedido na página do produto.";
const ANNOUNCED =
  "Recebemos o aviso do seu pagamento e estamos confirmando. Não pague de novo: esta página avisa assim que terminar.";

/** A charge whose code the caller gets from the provider. `claimedAt`: when its sale was so at the earliest, by `performance.now`. */
export type ClaimedCharge = Asking & {
  /** What a refusal says of the buyer's money: see `chargedSoFar`. */
  charged: string;
  chargeId: string;
  saleStatus: SaleStatus;
  claimedAt: number;
};

/**
 * `have`: it has a code that can be paid; `wait`: somebody else is getting one; `make`: the caller makes one; `lost`: one
 * was asked for, nobody heard the answer, and the provider can tell what became of it.
 */
export type ChargeClaim =
  | { kind: "have"; chargeId: string }
  | { kind: "wait"; chargeId: string; charged: string }
  | ({ kind: "make" | "lost" } & ClaimedCharge);

/**
 * Decides, with the sale locked, where its code comes from. A new charge's row is there before the provider is called.
 * @param unknownId a lost charge of which the provider knows nothing
 */
export async function claimCharge(tx: Tx, saleId: string, unknownId: string | null): Promise<ChargeClaim> {
  const claimedAt = performance.now();
  // A row for each account the seller is paid with.
  const rows = await tx
    .select({
      sellerId: sales.sellerId,
      status: sales.status,
      amountCents: sales.amountCents,
      name: sales.customerName,
      documentSealed: sales.customerDocumentSealed,
      emptiedAt: sales.emptiedAt,
      isForSale,
      isAnnounced,
      hasReceived,
      account: gatewayColumns,
    })
    .from(sales)
    .leftJoin(gatewayAccounts, isAccountOf(sales.sellerId))
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(sales.id, saleId))
    .for("no key update", { of: sales });
  const [sale] = rows;
  if (!sale) throw notFound("Compra não encontrada");
  const charged = chargedSoFar(sale.hasReceived);
  const known = await findCharges(tx, saleId);
  const last = known.find(({ status }) => status !== "failed");
  if (sale.status !== "pending" && sale.status !== "failed") {
    // The codes of a closed order have run out.
    if (last && sale.status !== "cancelled") return { kind: "have", chargeId: last.id };
    throw new Refusal("conflict", "Esta compra já foi encerrada");
  }
  if (last?.status === "open" && (last.expiresAt?.getTime() ?? 0) > Date.now())
    return { kind: "have", chargeId: last.id };
  if (last?.isBeingMade) return { kind: "wait", chargeId: last.id, charged };
  if (sale.emptiedAt)
    throw new Refusal("conflict", sale.hasReceived ? EMPTIED : `${EMPTIED} ${charged} por este pedido.`);
  if (sale.isAnnounced) throw new Refusal("conflict", ANNOUNCED);
  if (!sale.isForSale) throw new Refusal("conflict", notForSale(charged));
  const gateway = openFirst(rows.map(({ account }) => account));
  if (!gateway) throw new OrderRefusal("no-gateway", CANNOT_PAY);
  const { amountCents, status: saleStatus, name, documentSealed } = sale;
  const document = gateway.provider.needsDocument && documentSealed ? unseal(documentSealed) : null;
  const { wanted } = askingFor(gateway, amountCents, { name, document }, charged);
  const rest = { gateway, saleStatus, claimedAt, charged };
  const gatewayKeyId = gateway.keyId;
  const lost = canFindLostCode(gateway) ? known[0] : undefined;
  if (lost && lost.id !== unknownId && isLost(lost) && lost.gatewayKeyId === gatewayKeyId)
    return { kind: "lost", chargeId: lost.id, wanted: { ...wanted, reference: lost.reference }, ...rest };
  const charge = { provider: gateway.provider.name, gatewayKeyId, reference: wanted.reference, amountCents };
  return {
    kind: "make",
    chargeId: await insertCharge(tx, { saleId, sellerId: sale.sellerId }, charge),
    wanted,
    ...rest,
  };
}

/** Whether a payment of it came in, whatever its amount and whatever became of it. */
const hasReceived = sql<boolean>`exists (
  select from charges c where c.sale_id = ${sales.id} and c.paid_cents is not null)`;

type Known = Awaited<ReturnType<typeof findCharges>>[number];

/** A sale's charges that have a code or may have one: one that can be paid first, then the newest. */
function findCharges(tx: Tx, saleId: string) {
  const mayExist = eq(charges.failureKind, "no-answer");
  return tx
    .select({
      id: charges.id,
      status: charges.status,
      expiresAt: charges.expiresAt,
      reference: charges.reference,
      gatewayKeyId: charges.gatewayKeyId,
      isBeingMade: sql<boolean>`${charges.status} = 'creating' and ${charges.creatingUntil} > now()`,
    })
    .from(charges)
    .where(
      and(eq(charges.saleId, saleId), or(inArray(charges.status, ["creating", "open", "paid"]), mayExist)),
    )
    .orderBy(desc(isPayable), desc(charges.createdAt));
}

/** Whether it was asked for and the answer never came: its maker gave up or died. */
function isLost({ status, isBeingMade }: Known): boolean {
  return status === "failed" || (status === "creating" && !isBeingMade);
}
