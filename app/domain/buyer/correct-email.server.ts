import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { mails, type WaitingPix } from "#app/db/schema/mails.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail, queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { queueCorrectedAccess } from "#app/domain/outbox/queue-corrected-access.server.ts";
import { lockOrder, type OrderedSale } from "#app/domain/sale/lock-order.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** How often a buyer may correct the e-mail of one purchase. */
const MOST = 3;

/** Mails about a sale that its buyer gets. */
const BUYERS = ["purchase", "upsell", "access", "pix", "reminder"] as const;
const BRING_ACCESS: readonly string[] = ["purchase", "upsell", "access"];

/** An address, and when it was last corrected to it; 0 where it was ordered with. An address may come back. */
type Permitted = { email: string; correctedAt: number };

/**
 * Corrects the e-mail of an order or a purchase, with what was taken after it, for its buyer: whoever calls this has seen
 * that it is them. The links mailed before open nothing any more, the access goes to the new address, a notice to the old
 * one. The same correction once more changes nothing.
 * @param from the e-mail it must have had ever since, where the permission is for that one alone
 * @throws Refusal not-found; conflict where the purchase was given back or emptied, was corrected since, or too often
 */
export async function correctEmail(saleId: string, to: string, from?: Permitted): Promise<void> {
  if (!isUuid(saleId)) throw notFound("Compra não encontrada");
  await db.transaction(async (tx) => {
    const family = await lockOrder(tx, saleId);
    const root = family.find(({ parentSaleId }) => parentSaleId === null);
    const asked = family.find(({ id }) => id === saleId);
    if (!root || !asked) throw notFound("Compra não encontrada");
    // One of them may have been corrected alone: what is asked about is what the buyer sees.
    const { customerEmail: before } = asked;
    if (before === to) return;
    const correctedAt = asked.emailCorrectedAt?.getTime() ?? 0;
    if (from && (before !== from.email || correctedAt !== from.correctedAt))
      throw new Refusal("conflict", "O e-mail desta compra já foi trocado. Este link não vale mais.");
    if (asked.status === "refunded" || asked.status === "chargedback")
      throw new Refusal("conflict", "Esta compra foi devolvida: não há mais acesso a enviar.");
    if (isGivenUp(asked))
      throw new Refusal("conflict", "Os dados desta compra foram apagados a pedido de quem comprou.");
    await refuseTooOften(tx, root.id);
    const moved = family.filter((one) => one.customerEmail === before && !isGivenUp(one));
    const ids = moved.map(({ id }) => id);
    await tx
      .update(sales)
      .set({ customerEmail: to, emailCorrectedAt: new Date() })
      .where(inArray(sales.id, ids));
    const data = before ? { from: maskMail(before) } : {};
    await noteSale(tx, root.id, { kind: "customer_edited", data }, "buyer");
    await queueCorrectedAccess(tx, ids, before);
    const onTheirWay = before ? await turnMails(tx, ids, before, to) : [];
    await sendAccess(tx, moved, to, onTheirWay);
    if (before) for (const one of moved) await sendPix(tx, one, before, to);
    const first = moved.find(({ id }) => id === root.id) ?? asked;
    if (before && (first.status === "completed" || (await hasHeard(tx, ids, before))))
      await tellBefore(tx, first, before, to);
  });
}

/** The same as for a query (`emptied-why.server.ts`). */
function isGivenUp({ customerEmail, emptiedAt, completedAt }: OrderedSale): boolean {
  return !customerEmail && emptiedAt !== null && completedAt !== null && completedAt <= emptiedAt;
}

async function refuseTooOften(tx: Tx, saleId: string): Promise<void> {
  const corrected = await tx.$count(
    saleEvents,
    and(eq(saleEvents.saleId, saleId), eq(saleEvents.kind, "customer_edited"), eq(saleEvents.cause, "buyer")),
  );
  if (corrected >= MOST)
    throw new Refusal(
      "conflict",
      `O e-mail desta compra já foi corrigido ${MOST} vezes. Fale com quem vendeu: só essa pessoa pode trocá-lo agora.`,
    );
}

/**
 * Mails that no provider has heard of go to the new address, drawn anew. One that was tried keeps its text, whose links
 * ended: it is given up. A new `due_at` takes a mail from a worker that has it in hand.
 * @returns the sales whose access is on its way
 */
async function turnMails(tx: Tx, saleIds: string[], before: string, to: string): Promise<string[]> {
  const waiting = and(
    inArray(mails.saleId, saleIds),
    eq(mails.recipient, before),
    eq(mails.status, "attempting"),
    isNull(mails.claimedAt),
    inArray(mails.kind, BUYERS),
  );
  const turned = await tx
    .update(mails)
    .set({
      recipient: to,
      payload: null,
      via: "platform",
      templateFailedAt: null,
      turnAt: null,
      dueAt: sql`now()`,
    })
    .where(and(waiting, eq(mails.attempts, 0), isNotNull(mails.facts)))
    .returning({ saleId: mails.saleId, kind: mails.kind });
  await tx
    .update(mails)
    .set({ status: "failed", error: "O comprador corrigiu o e-mail antes do envio." })
    .where(waiting);
  return turned.flatMap(({ saleId, kind }) => (saleId && BRING_ACCESS.includes(kind) ? saleId : []));
}

async function sendAccess(tx: Tx, family: OrderedSale[], to: string, onTheirWay: string[]): Promise<void> {
  const paid = family.filter(({ id, status }) => status === "completed" && !onTheirWay.includes(id));
  await queueMails(
    tx,
    paid.map(({ id: saleId, sellerId, completedAt }) => ({
      kind: "access",
      idempotencyKey: `access/${saleId}/${randomUUID()}`,
      recipient: to,
      sellerId,
      saleId,
      facts: { paidAt: completedAt!.toISOString() },
    })),
  );
}

/** The code that went to the address of before, while it can be paid. */
async function sendPix(tx: Tx, sale: OrderedSale, before: string, to: string): Promise<void> {
  if (sale.status !== "pending") return;
  const { id: saleId, sellerId } = sale;
  const [sent] = await tx
    .select({ facts: mails.facts })
    .from(mails)
    .where(
      and(
        eq(mails.saleId, saleId),
        eq(mails.recipient, before),
        eq(mails.kind, "pix"),
        gt(mails.attempts, 0),
      ),
    )
    .orderBy(desc(mails.createdAt))
    .limit(1);
  const facts = sent?.facts as WaitingPix | null | undefined;
  if (!facts || (facts.expiresAt && new Date(facts.expiresAt) < new Date())) return;
  const idempotencyKey = `pix/${saleId}/${randomUUID()}`;
  await queueMail(tx, { kind: "pix", idempotencyKey, recipient: to, sellerId, saleId, facts });
}

/** Whether anything about these sales may have reached an address. */
async function hasHeard(tx: Tx, saleIds: string[], email: string): Promise<boolean> {
  const [heard] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        inArray(mails.saleId, saleIds),
        eq(mails.recipient, email),
        sql`${mails.attempts} > 0 and ${mails.bouncedAt} is null`,
      ),
    )
    .limit(1);
  return heard !== undefined;
}

/** To the address of before: it may be a stranger's, who learns nothing, or the buyer's own, who did not do this. */
async function tellBefore(tx: Tx, { id, sellerId }: OrderedSale, before: string, to: string): Promise<void> {
  const [seller] = await tx
    .select({
      name: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      email: sellers.email,
      product: sql<string>`(select name from ${saleLines} where sale_id = ${id} order by position limit 1)`,
    })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  const { name, email, product } = seller!;
  await queueMail(tx, {
    kind: "email-corrected",
    idempotencyKey: `email-corrected/${randomUUID()}`,
    recipient: before,
    sellerId,
    saleId: id,
    mail: {
      subject: `O e-mail de uma compra foi corrigido: ${product}`,
      replyTo: email,
      html: mailLayout({
        title: "Este não é mais o e-mail da compra",
        preview: "Os links que chegaram aqui deixaram de valer.",
        bodyHtml: [
          paragraph(
            `O e-mail da compra de <strong>${escapeHtml(product)}</strong>, de ${escapeHtml(name)}, foi corrigido por quem comprou. O acesso vai agora para ${escapeHtml(maskMail(to))}, e os links que chegaram a este endereço deixaram de valer.`,
          ),
          paragraph(
            "Não conhece esta compra? Então não há nada a fazer: alguém digitou o seu e-mail por engano.",
          ),
          paragraph(
            "A compra é sua e não foi você quem trocou? Responda a este e-mail: quem vendeu pode desfazer.",
          ),
        ].join("\n"),
        footerHtml: `Número da compra: ${id}`,
      }),
    },
  });
}
