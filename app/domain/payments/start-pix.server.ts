import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "#app/db/client.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { ANNOUNCE_PIX } from "#app/domain/payments/announce-pix-name.ts";
import { awaitCharge } from "#app/domain/payments/await-charge.server.ts";
import { CANNOT_PAY } from "#app/domain/payments/cannot-pay.ts";
import { type Gateway, gatewayColumns, openFirst } from "#app/domain/payments/find-gateway.server.ts";
import { whatIsWrongWithPixCode } from "#app/domain/payments/pix-code.ts";
import { type NewCharge, ProviderError } from "#app/domain/payments/providers/port.ts";
import { failedPaymentMail } from "#app/domain/sales/failed-payment-mail.server.ts";
import { isForSale } from "#app/domain/sales/is-for-sale.server.ts";
import { trackSale } from "#app/domain/sales/track-sale.server.ts";
import { isConnected } from "#app/domain/tracking/is-connected.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { randomToken } from "#app/platform/secrets.server.ts";
import { enqueuing } from "#app/queue/job.server.ts";

/** How long a code is offered where the provider does not say. Presentation only: a late payment counts. */
const PIX_LIFETIME = 30 * MINUTE;
/** A charge still `creating` after this never got its answer; longer than the provider call may take. */
const CREATING_FOR = 20 * SECOND;
/** The first look by ourselves, should the webhook never come. */
const FIRST_CHECK_AFTER = 90 * SECOND;
const NOT_FOR_SALE =
  "Este produto não está mais à venda. Nada foi cobrado: se você já pagou um código anterior, o pagamento será reconhecido.";
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
    const outcome = await awaitCharge(claim.chargeId, claim.until);
    if (outcome === "failed") throw new Refusal("unavailable", NOT_NOW);
    return outcome === "made" ? { chargeId: claim.chargeId } : startPix(saleId);
  }
  const { chargeId, reference, amountCents, gateway, isTracked } = claim;
  try {
    const webhookUrl = `${env.APP_URL}${paths.paymentWebhook(gateway.provider.name, gateway.hookToken)}?charge=${reference}`;
    const made = await gateway.provider.createCharge(gateway.credentials, { amountCents, webhookUrl });
    const wrong = whatIsWrongWithPixCode(made.pixCode, amountCents);
    if (wrong) throw new ProviderError("nonsense", `unusable PIX code: ${wrong}`);
    await openCharge(saleId, chargeId, made, isTracked).catch((error: unknown) => {
      if (!isUniqueViolation(error, "charges_provider_id_key")) throw error;
      throw new ProviderError("nonsense", `gave an id that another PIX has: ${made.providerId}`);
    });
    log.info({ saleId, chargeId, providerId: made.providerId, amountCents }, "pix created");
    return { chargeId };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await failCharge(saleId, chargeId, error, isTracked);
    log.warn({ saleId, chargeId, kind: error.kind, error: error.message }, "pix not created");
    throw new Refusal("unavailable", messageFor(error));
  }
}

type Claim =
  | { kind: "have"; chargeId: string }
  | { kind: "wait"; chargeId: string; until: Date }
  | {
      kind: "make";
      chargeId: string;
      reference: string;
      amountCents: number;
      gateway: Gateway;
      isTracked: boolean;
    };

/** Decides, with the sale locked, whether to make a charge; the new row is there before the provider is called. */
async function claimCharge(tx: Tx, saleId: string): Promise<Claim> {
  // A row for each account the seller is paid with.
  const rows = await tx
    .select({
      status: sales.status,
      amountCents: sales.amountCents,
      isTracked: isConnected(sales.sellerId),
      isForSale,
      account: gatewayColumns,
    })
    .from(sales)
    .leftJoin(
      gatewayAccounts,
      and(eq(gatewayAccounts.sellerId, sales.sellerId), isNotNull(gatewayAccounts.enabledAt)),
    )
    .leftJoin(gatewayKeys, eq(gatewayKeys.id, gatewayAccounts.keyId))
    .where(eq(sales.id, saleId))
    .for("update", { of: sales });
  const [sale] = rows;
  if (!sale) throw notFound("Compra não encontrada");
  const [last] = await tx
    .select({
      id: charges.id,
      status: charges.status,
      expiresAt: charges.expiresAt,
      // By the database's clock: processes may disagree about the time.
      waitMs: sql`${CREATING_FOR} - extract(epoch from now() - ${charges.createdAt}) * 1000`.mapWith(Number),
    })
    .from(charges)
    .where(and(eq(charges.saleId, saleId), inArray(charges.status, ["creating", "open", "paid"])))
    .orderBy(desc(charges.createdAt))
    .limit(1);
  if (sale.status !== "pending" && sale.status !== "failed") {
    if (last) return { kind: "have", chargeId: last.id };
    throw new Refusal("conflict", "Esta compra já foi encerrada");
  }
  if (last?.status === "open" && (last.expiresAt?.getTime() ?? 0) > Date.now())
    return { kind: "have", chargeId: last.id };
  if (last?.status === "creating" && last.waitMs > 0)
    return { kind: "wait", chargeId: last.id, until: new Date(Date.now() + last.waitMs) };
  if (!sale.isForSale) throw new Refusal("conflict", NOT_FOR_SALE);
  const gateway = openFirst(rows.map(({ account }) => account));
  if (!gateway) throw new Refusal("unavailable", CANNOT_PAY);
  const reference = randomToken();
  const { provider, keyId } = gateway;
  const [charge] = await tx
    .insert(charges)
    .values({
      saleId,
      provider: provider.name,
      gatewayKeyId: keyId,
      reference,
      amountCents: sale.amountCents,
    })
    .returning({ id: charges.id });
  const { amountCents, isTracked } = sale;
  return { kind: "make", chargeId: charge!.id, reference, amountCents, gateway, isTracked };
}

async function openCharge(
  saleId: string,
  chargeId: string,
  { providerId, pixCode, expiresAt }: NewCharge,
  isTracked: boolean,
): Promise<void> {
  const now = Date.now();
  const open = (tx: Db) => {
    const opened = tx
      .update(charges)
      .set({
        status: "open",
        providerId,
        pixCode,
        expiresAt: expiresAt ?? new Date(now + PIX_LIFETIME),
        nextCheckAt: new Date(now + FIRST_CHECK_AFTER),
      })
      // A sweeper may have given it up meanwhile; the code is good all the same.
      .where(and(eq(charges.id, chargeId), inArray(charges.status, ["creating", "failed"])));
    const ids = sql`json_build_object('saleId', ${saleId}::text)`;
    return tx.execute(
      sql`with opened as ${opened} select ${enqueuing(ANNOUNCE_PIX, ids, sql`${saleId}::text`)}`,
    );
  };
  if (!isTracked) return void (await open(db));
  await db.transaction(async (tx) => {
    await open(tx);
    await trackSale(tx, saleId, "waiting_payment");
  });
}

async function failCharge(
  saleId: string,
  chargeId: string,
  error: ProviderError,
  isTracked: boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(charges)
      .set({ status: "failed", failure: `${error.kind}: ${error.message}`.slice(0, 500) })
      .where(and(eq(charges.id, chargeId), eq(charges.status, "creating")));
    if (error.kind === "refused" || error.kind === "credentials")
      await failedPaymentMail(tx, saleId, reasonFor(error));
    if (isTracked && error.kind === "refused") await trackSale(tx, saleId, "refused");
  });
}

/** What the seller is told. */
function reasonFor({ kind, message }: ProviderError): string {
  return kind === "credentials"
    ? "O provedor de pagamento não aceitou a sua chave, e nenhum PIX pôde ser gerado. Confira a conexão em Configurações."
    : `O provedor de pagamento recusou o PIX deste pedido: ${message}`.slice(0, 300);
}

function messageFor(error: ProviderError): string {
  if (error.kind === "credentials") {
    return "O vendedor precisa revisar a conexão com o PIX. Avise-o e tente novamente mais tarde: nada foi cobrado.";
  }
  if (error.kind === "refused") return "O PIX foi recusado pelo provedor de pagamento. Nada foi cobrado.";
  return NOT_NOW;
}
