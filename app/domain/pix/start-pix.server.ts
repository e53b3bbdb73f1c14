import { and, eq } from "drizzle-orm";
import { type Db, db } from "#app/db/client.server.ts";
import { isUniqueViolation } from "#app/db/errors.server.ts";
import { inTurn } from "#app/db/in-turn.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { leaseEnd, MAKER_LEASE, moveCharge } from "#app/domain/charge/move-charge.server.ts";
import { type NewCharge, ProviderError } from "#app/domain/gateway/providers/port.ts";
import { addPixMail, announcePix } from "#app/domain/pix/announce-pix.server.ts";
import { askForCode, findLostCode } from "#app/domain/pix/ask-for-code.server.ts";
import { awaitCharge } from "#app/domain/pix/await-charge.server.ts";
import { type ClaimedCharge, claimCharge } from "#app/domain/pix/claim-charge.server.ts";
import { failSale } from "#app/domain/sale/fail-sale.server.ts";
import { queueFailedPaymentMail } from "#app/domain/sale/notices/queue-failed-payment-mail.server.ts";
import { reopenSale } from "#app/domain/sale/reopen-sale.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";

const notNow = (charged: string) =>
  `Não conseguimos gerar o PIX agora. ${charged}: tente novamente em alguns instantes.`;

/**
 * Gives a sale a PIX that can be paid: the one it has while that is payable, else a new one. Row first, provider second,
 * row again, with no transaction open during the call. Calls at once for one sale share one charge.
 * @throws Refusal not-found; conflict where nothing is sold any more or the provider takes no such payment; unavailable, with a message for the buyer, where the
 * provider gave none
 * @param claim the charge that a new order was placed with: the caller made its row, nobody else gets its code
 */
export async function startPix(saleId: string, claim?: ClaimedCharge): Promise<{ chargeId: string }> {
  if (!claim) return startUnless(saleId, null);
  await makeCode(saleId, claim);
  return { chargeId: claim.chargeId };
}

/** @param unknownId a charge whose creation was never answered and of which the provider knows nothing */
async function startUnless(saleId: string, unknownId: string | null): Promise<{ chargeId: string }> {
  const claim = await inTurn(saleId, () => db.transaction((tx) => claimCharge(tx, saleId, unknownId)));
  const { kind, chargeId } = claim;
  if (kind === "wait") {
    const outcome = await awaitCharge(chargeId);
    if (outcome === "failed") throw new Refusal("unavailable", notNow(claim.charged));
    return outcome === "made" ? { chargeId } : startUnless(saleId, unknownId);
  }
  if (kind === "make") await makeCode(saleId, claim);
  if (kind === "lost" && !(await takeUpLostCode(saleId, claim))) return startUnless(saleId, chargeId);
  return { chargeId };
}

async function makeCode(saleId: string, claim: ClaimedCharge): Promise<void> {
  const { chargeId, gateway, wanted } = claim;
  const stopSaying = sayAlive(chargeId);
  try {
    await openCharge(saleId, claim, () => askForCode(gateway, wanted).finally(stopSaying));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await failCharge(saleId, chargeId, error);
    log.warn({ saleId, chargeId, kind: error.kind, error: error.message }, "pix not created");
    throw new Refusal("unavailable", messageFor(error, claim.charged));
  }
}

/** @returns whether the provider had made a code that can be paid; two who look at once find the same */
async function takeUpLostCode(saleId: string, claim: ClaimedCharge): Promise<boolean> {
  const { chargeId, gateway, wanted } = claim;
  try {
    return await openCharge(saleId, claim, () => findLostCode(gateway, wanted));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ saleId, chargeId, kind: error.kind, error: error.message }, "lost code not found");
    if (error.kind === "nonsense" || error.kind === "refused") return false;
    throw new Refusal("unavailable", messageFor(error, claim.charged));
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

/** Makes a charge payable with the code that `getCode` brings. @returns whether it brought one */
async function openCharge(
  saleId: string,
  { chargeId, gateway, saleStatus, claimedAt, wanted }: ClaimedCharge,
  getCode: () => Promise<NewCharge | null>,
): Promise<boolean> {
  const begun = performance.now();
  const code = await getCode();
  if (!code) return false;
  const { providerId, pixCode, expiresAt } = code;
  const now = Date.now();
  const move = {
    to: "open" as const,
    providerId,
    pixCode,
    expiresAt: expiresAt ?? new Date(now + gateway.provider.codeLifetime),
    tookMs: Math.round(performance.now() - begun),
  };
  const { expiresAt: end } = move;
  const pix = { pixCode, expiresAt: end.toISOString(), notice: gateway.provider.notice ?? null };
  const open = async (tx: Db, also?: Parameters<typeof moveCharge>[4]) => {
    // A sweeper may have given it up meanwhile; the code is good all the same.
    for (const status of ["creating", "failed"] as const)
      if (await moveCharge(tx, { id: chargeId, status }, move, "provider", also)) return;
  };
  // Whoever was taken for dead finds the sale as others left it.
  const isAsFound = saleStatus === "pending" && performance.now() - claimedAt < MAKER_LEASE;
  const opened = isAsFound
    ? open(db, (statement, moved) => addPixMail(statement, moved, pix))
    : db.transaction(async (tx) => {
        await open(tx);
        await reopenSale(tx, saleId);
        await announcePix(tx, saleId, pix);
      });
  await opened.catch((error: unknown) => {
    if (!isUniqueViolation(error, "charges_provider_id_key")) throw error;
    throw new ProviderError("nonsense", `gave an id that another PIX has: ${providerId}`);
  });
  log.info({ saleId, chargeId, providerId, amountCents: wanted.amountCents }, "pix created");
  return true;
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
    else if (why === "refused" || why === "credentials")
      await queueFailedPaymentMail(tx, saleId, why, detail);
  });
}

function messageFor(error: ProviderError, charged: string): string {
  if (error.kind === "credentials") {
    return `O vendedor precisa revisar a conexão com o PIX. Avise-o e tente novamente mais tarde. ${charged}.`;
  }
  if (error.kind === "refused") return `O PIX foi recusado pelo provedor de pagamento. ${charged}.`;
  return notNow(charged);
}
