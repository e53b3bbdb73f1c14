import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownById, ownOfSale } from "#app/db/conditions.server.ts";
import { disputes } from "#app/db/schema/disputes.server.ts";
import type { ProviderFailure } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sealedKeys, unsealKeys, withLearningKeys } from "#app/domain/gateway/charge-keys.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import { REFUSED_KEY_TEXT } from "#app/domain/gateway/refused-key-text.ts";
import { readEvidence } from "#app/domain/refund/evidence/read-evidence.server.ts";
import { renderEvidence } from "#app/domain/refund/evidence/render-evidence.server.ts";
import { lockPaidSale, lockSalePayment } from "#app/domain/refund/lock-paid-sale.server.ts";
import { updateDispute } from "#app/domain/sale/dispute/update-dispute.server.ts";
import { checkCharge } from "#app/domain/settlement/check-charge.server.ts";
import { scheduleChecks } from "#app/domain/settlement/schedule-checks.server.ts";
import { pick } from "#app/kit/pick.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { log } from "#app/platform/log.server.ts";

/** `sent`: the provider has it; `unconfirmed`: its answer was lost, and a check will find out. */
export type EvidenceOutcome = "sent" | "unconfirmed";

const REFUSALS = {
  notNeeded: "O provedor não pede comprovantes para esta contestação.",
  late: "O prazo do provedor para comprovantes terminou.",
  sent: "Os comprovantes já foram enviados ao provedor.",
  sending: "Os comprovantes estão sendo enviados. Veja o resultado em um minuto.",
  unknown: "Ainda não sabemos se os comprovantes chegaram ao provedor. Tente de novo em um minuto.",
  noGateway: "A conexão com o provedor deste pagamento não existe mais. Envie pelo painel do provedor.",
};

const FAILURES: Record<Exclude<ProviderFailure, "no-answer" | "nonsense">, string> = {
  refused: "O provedor não aceitou os comprovantes",
  credentials: REFUSED_KEY_TEXT,
  busy: "O provedor está indisponível no momento. Tente em alguns minutos.",
};

/**
 * Sends a disputed sale's evidence to its provider. Clicks at once send it once; after a lost answer the provider is asked
 * first whether it arrived.
 * @throws Refusal not-found; conflict where none is needed, it was sent, the deadline has passed, or the provider refuses it
 */
export async function sendEvidence(sellerId: string, saleId: string): Promise<EvidenceOutcome> {
  const before = await findOpenDispute(sellerId, saleId);
  if (before.status === "needed" && before.isSent && !before.isSending) {
    // It may have arrived.
    const check = await checkCharge(before.chargeId).catch(asRefusal);
    if ((await findOpenDispute(sellerId, saleId)).status === "in_review") return "sent";
    // Another check may be under way, whose answer is not booked yet.
    if (check.kind === "gate") throw new Refusal("conflict", REFUSALS.unknown);
  }
  const { chargeId, provider, providerId, disputeId, answers, keys } = await claim(sellerId, saleId);
  try {
    const pdf = await renderEvidence(await readEvidence(sellerId, saleId));
    await withLearningKeys(
      { sellerId, provider },
      keys,
      (credentials) => answers.sendEvidence(credentials, providerId, pdf),
      async (credentials) => (await answers.findReference(credentials, providerId)) !== null,
    );
  } catch (error) {
    const isLost =
      error instanceof ProviderError && (error.kind === "no-answer" || error.kind === "nonsense");
    if (!isLost) await release(sellerId, disputeId);
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ saleId, disputeId, kind: error.kind, error: error.message }, "evidence not sent");
    if (!isLost) return asRefusal(error);
    await scheduleChecks(sellerId, [chargeId]);
    return "unconfirmed";
  }
  await db.transaction(async (tx) => {
    // Charges before their sale, the usual lock order.
    await lockSalePayment(tx, sellerId, saleId);
    const sale = await lockPaidSale(tx, sellerId, saleId);
    const arrived = { providerId, evidence: "in_review", evidenceDueAt: null } as const;
    if (sale.status === "disputed") await updateDispute(tx, sale, arrived);
  });
  log.info({ saleId, disputeId }, "evidence sent");
  return "sent";
}

function asRefusal(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error;
  const detail = error.message.replace(/^\d+: /, "");
  const text = pick(FAILURES, error.kind);
  if (!text) throw new Refusal("conflict", "O provedor não respondeu. Tente em um minuto.");
  throw new Refusal("conflict", error.kind === "refused" ? `${text}: “${detail}”.` : text);
}

/** A sale's open dispute at its provider. `isSent`: before, without an answer; `isSending`: a moment ago. */
async function findOpenDispute(sellerId: string, saleId: string) {
  const isSending = sql<boolean>`coalesce(${disputes.evidenceSentAt} > now() - interval '1 minute', false)`;
  const [found] = isUuid(saleId)
    ? await db
        .select({
          disputeId: disputes.id,
          providerId: disputes.providerId,
          status: disputes.evidenceStatus,
          isSent: sql<boolean>`${disputes.evidenceSentAt} is not null`,
          isSending,
          isLate: sql<boolean>`coalesce(${disputes.evidenceDueAt} < now(), false)`,
          chargeId: charges.id,
          provider: charges.provider,
          sealedKeys,
        })
        .from(disputes)
        .innerJoin(charges, eq(charges.id, disputes.chargeId))
        .innerJoin(sales, eq(sales.id, disputes.saleId))
        .where(and(ownOfSale(disputes, sellerId, saleId), eq(disputes.status, "open")))
    : [];
  if (!found) throw notFound("Esta venda não tem uma contestação aberta");
  return found;
}

/** Marks the evidence as sent before it is, in one update, so that clicks at once send it once. */
async function claim(sellerId: string, saleId: string) {
  const found = await findOpenDispute(sellerId, saleId);
  const { status, providerId, disputeId, isLate, isSending, chargeId } = found;
  if (status !== "needed" || !providerId)
    throw new Refusal("conflict", status === "in_review" ? REFUSALS.sent : REFUSALS.notNeeded);
  if (isLate) throw new Refusal("conflict", REFUSALS.late);
  if (isSending) throw new Refusal("conflict", REFUSALS.sending);
  const answers = pick(providers, found.provider)?.cards?.disputes;
  const keys = unsealKeys(found.sealedKeys);
  if (!answers || keys.length === 0) throw new Refusal("conflict", REFUSALS.noGateway);
  const claimed = await db
    .update(disputes)
    .set({ evidenceSentAt: sql`now()` })
    .where(
      and(
        ownById(disputes, sellerId, disputeId),
        ...[eq(disputes.status, "open"), eq(disputes.evidenceStatus, "needed")],
        sql`(${disputes.evidenceSentAt} is null or ${disputes.evidenceSentAt} < now() - interval '1 minute')`,
      ),
    )
    .returning({ id: disputes.id });
  if (claimed.length === 0) throw new Refusal("conflict", REFUSALS.sending);
  return { chargeId, provider: found.provider, providerId, disputeId, answers, keys };
}

async function release(sellerId: string, disputeId: string): Promise<void> {
  await db
    .update(disputes)
    .set({ evidenceSentAt: null })
    .where(ownById(disputes, sellerId, disputeId));
}
