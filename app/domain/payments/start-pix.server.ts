import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "#app/db/client.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import type { SaleStatus } from "#app/db/schema/lists.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ANNOUNCE_PIX } from "#app/domain/payments/announce-pix-name.ts";
import { awaitCharge } from "#app/domain/payments/await-charge.server.ts";
import { CANNOT_PAY } from "#app/domain/payments/cannot-pay.ts";
import { type Gateway, gatewayColumns, openFirst } from "#app/domain/payments/find-gateway.server.ts";
import { isAnnounced } from "#app/domain/payments/find-standing.server.ts";
import { isPayable } from "#app/domain/payments/is-payable.server.ts";
import { insertCharge, moveCharge } from "#app/domain/payments/move-charge.server.ts";
import { whatIsWrongWithPixCode } from "#app/domain/payments/pix-code.ts";
import { type NewCharge, ProviderError } from "#app/domain/payments/providers/port.ts";
import { failSale } from "#app/domain/sales/fail-sale.server.ts";
import { failedPaymentMail } from "#app/domain/sales/failed-payment-mail.server.ts";
import { isForSale } from "#app/domain/sales/is-for-sale.server.ts";
import { reopenSale } from "#app/domain/sales/reopen-sale.server.ts";
import { trackSale } from "#app/domain/sales/track-sale.server.ts";
import { isConnected } from "#app/domain/tracking/is-connected.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { randomToken } from "#app/platform/secrets.server.ts";
import { enqueuing } from "#app/queue/job.server.ts";

/** Whoever makes a code says so again and again; who has been silent for so long is taken for dead. */
const MAKER_LEASE = 4 * SECOND;
/** The first look by ourselves, should the webhook never come. */
const FIRST_CHECK_AFTER = 90 * SECOND;
const NOT_FOR_SALE =
  "Este produto não está mais à venda. Nada foi cobrado: se você já pagou um código anterior, o pagamento será reconhecido.";
const ANNOUNCED =
  "Recebemos o aviso do seu pagamento e estamos confirmando. Não pague de novo: esta página avisa assim que terminar.";
const NOT_NOW = "Não conseguimos gerar o PIX agora. Nada foi cobrado: tente novamente em alguns instantes.";

/**
 * Gives a sale a PIX that can be paid: the one it has while that is payable, else a new one. Row first, provider second,
 * row again, with no transaction open during the call. Calls at once for one sale share one charge.
 * @throws Refusal not-found; conflict where nothing is sold any more; unavailable, with a message for the buyer, where the
 * provider gave none
 */
export async function startPix(saleId: string): Promise<{ chargeId: string }> {
  const claim = await inTurn(saleId, () => db.transaction((tx) => claimCharge(tx, saleId)));
  if (claim.kind === "have") return { chargeId: claim.chargeId };
  if (claim.kind === "wait") {
    const outcome = await awaitCharge(claim.chargeId);
    if (outcome === "failed") throw new Refusal("unavailable", NOT_NOW);
    return outcome === "made" ? { chargeId: claim.chargeId } : startPix(saleId);
  }
  const { chargeId, reference, amountCents, gateway } = claim;
  const begun = performance.now();
  const stopSaying = sayAlive(chargeId);
  try {
    const webhookUrl = `${env.APP_URL}${paths.paymentWebhook(gateway.provider.name, gateway.hookToken)}?charge=${reference}`;
    const made = await gateway.provider
      .createCharge(gateway.credentials, { amountCents, webhookUrl })
      .finally(stopSaying);
    const wrong = whatIsWrongWithPixCode(made.pixCode, amountCents);
    if (wrong) throw new ProviderError("nonsense", `unusable PIX code: ${wrong}`);
    const tookMs = Math.round(performance.now() - begun);
    await openCharge(saleId, claim, made, tookMs).catch((error: unknown) => {
      if (!isUniqueViolation(error, "charges_provider_id_key")) throw error;
      throw new ProviderError("nonsense", `gave an id that another PIX has: ${made.providerId}`);
    });
    log.info({ saleId, chargeId, providerId: made.providerId, amountCents }, "pix created");
    return { chargeId };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await failCharge(saleId, chargeId, error);
    log.warn({ saleId, chargeId, kind: error.kind, error: error.message }, "pix not created");
    throw new Refusal("unavailable", messageFor(error));
  }
}

/** Renews the maker's lease while the provider is being called. @returns how to stop */
function sayAlive(chargeId: string): () => void {
  const timer = setInterval(() => {
    db.update(charges)
      .set({ creatingUntil: leaseEnd })
      .where(and(eq(charges.id, chargeId), eq(charges.status, "creating")))
      .catch((error: unknown) => log.warn({ chargeId, err: error }, "maker's lease not renewed"));
  }, MAKER_LEASE / 3);
  return () => clearInterval(timer);
}

/** By the database's clock: processes may disagree about the time. */
const leaseEnd = sql`now() + make_interval(secs => ${MAKER_LEASE / SECOND})`;

type Made = {
  kind: "make";
  chargeId: string;
  reference: string;
  amountCents: number;
  gateway: Gateway;
  saleStatus: SaleStatus;
  isTracked: boolean;
};
type Claim = { kind: "have"; chargeId: string } | { kind: "wait"; chargeId: string } | Made;

/** Decides, with the sale locked, whether to make a charge; the new row is there before the provider is called. */
async function claimCharge(tx: Tx, saleId: string): Promise<Claim> {
  // A row for each account the seller is paid with.
  const rows = await tx
    .select({
      status: sales.status,
      amountCents: sales.amountCents,
      isTracked: isConnected(sales.sellerId),
      isForSale,
      isAnnounced,
      account: gatewayColumns,
    })
    .from(sales)
    .leftJoin(
      gatewayAccounts,
      and(eq(gatewayAccounts.sellerId, sales.sellerId), isNotNull(gatewayAccounts.enabledAt)),
    )
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(sales.id, saleId))
    .for("no key update", { of: sales });
  const [sale] = rows;
  if (!sale) throw notFound("Compra não encontrada");
  const [last] = await tx
    .select({
      id: charges.id,
      status: charges.status,
      expiresAt: charges.expiresAt,
      isBeingMade: sql<boolean>`${charges.status} = 'creating' and ${charges.creatingUntil} > now()`,
    })
    .from(charges)
    .where(and(eq(charges.saleId, saleId), inArray(charges.status, ["creating", "open", "paid"])))
    .orderBy(desc(isPayable), desc(charges.createdAt))
    .limit(1);
  if (sale.status !== "pending" && sale.status !== "failed") {
    // The codes of a closed order have run out.
    if (last && sale.status !== "cancelled") return { kind: "have", chargeId: last.id };
    throw new Refusal("conflict", "Esta compra já foi encerrada");
  }
  if (last?.status === "open" && (last.expiresAt?.getTime() ?? 0) > Date.now())
    return { kind: "have", chargeId: last.id };
  if (last?.isBeingMade) return { kind: "wait", chargeId: last.id };
  if (sale.isAnnounced) throw new Refusal("conflict", ANNOUNCED);
  if (!sale.isForSale) throw new Refusal("conflict", NOT_FOR_SALE);
  const gateway = openFirst(rows.map(({ account }) => account));
  if (!gateway) throw new Refusal("unavailable", CANNOT_PAY);
  const reference = randomToken();
  const { provider, keyId } = gateway;
  const { amountCents, isTracked, status: saleStatus } = sale;
  const chargeId = await insertCharge(tx, {
    saleId,
    provider: provider.name,
    gatewayKeyId: keyId,
    reference,
    amountCents,
  });
  return { kind: "make", chargeId, reference, amountCents, gateway, saleStatus, isTracked };
}

async function openCharge(
  saleId: string,
  { chargeId, gateway, saleStatus, isTracked }: Made,
  { providerId, pixCode, expiresAt }: NewCharge,
  tookMs: number,
): Promise<void> {
  const now = Date.now();
  const move = {
    to: "open" as const,
    providerId,
    pixCode,
    expiresAt: expiresAt ?? new Date(now + gateway.provider.codeLifetime),
    nextCheckAt: new Date(now + FIRST_CHECK_AFTER),
    tookMs,
  };
  const ids = sql`json_build_object('saleId', ${saleId}::text)`;
  const announce = enqueuing(ANNOUNCE_PIX, ids, sql`${saleId}::text`);
  const open = async (tx: Db) => {
    // A sweeper may have given it up meanwhile; the code is good all the same.
    for (const status of ["creating", "failed"] as const)
      if (await moveCharge(tx, { id: chargeId, status }, move, "provider", announce)) return;
  };
  // Whoever was taken for dead finds the sale as others left it.
  if (!isTracked && saleStatus === "pending" && tookMs < MAKER_LEASE) return open(db);
  await db.transaction(async (tx) => {
    await open(tx);
    await reopenSale(tx, saleId);
    if (isTracked) await trackSale(tx, saleId, "waiting_payment");
  });
}

async function failCharge(saleId: string, chargeId: string, error: ProviderError): Promise<void> {
  const { kind: why, message: detail } = error;
  await db.transaction(async (tx) => {
    // The charge before its sale, as settling locks them.
    await moveCharge(tx, { id: chargeId, status: "creating" }, { to: "failed", why, detail }, "provider");
    const [sale] = await tx
      .select({ id: sales.id, status: sales.status })
      .from(sales)
      .where(eq(sales.id, saleId))
      .for("no key update");
    if (why === "refused" && sale!.status === "pending") await failSale(tx, sale!, why, detail);
    else if (why === "refused" || why === "credentials") await failedPaymentMail(tx, saleId, why, detail);
  });
}

function messageFor(error: ProviderError): string {
  if (error.kind === "credentials") {
    return "O vendedor precisa revisar a conexão com o PIX. Avise-o e tente novamente mais tarde: nada foi cobrado.";
  }
  if (error.kind === "refused") return "O PIX foi recusado pelo provedor de pagamento. Nada foi cobrado.";
  return NOT_NOW;
}
