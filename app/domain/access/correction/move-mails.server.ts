import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { mails, type WaitingPix } from "#app/db/schema/mails.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { hasAccess } from "#app/domain/access/why-no-access.ts";
import { mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail, queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { OrderedSale } from "#app/domain/sale/lock-order.server.ts";
import { findStore } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFoot } from "#app/domain/storefront/store/store-mail-foot.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { shortNumber } from "#app/kit/uuid.ts";

/** Mails about a sale that its buyer gets. */
const BUYERS = ["purchase", "upsell", "access", "pix", "reminder"] as const;
const BRING_ACCESS: readonly string[] = ["purchase", "upsell", "access"];

/** An e-mail that was corrected; `before` is null where there was none, `first` the sale that its notice names. */
type Correction = { first: string; before: string | null; to: string; by: "buyer" | "seller" };

/**
 * What a corrected e-mail means for mails, in the transaction that corrects it: the access of what was paid goes to the new
 * address, and so does a code that can still be paid; the old one is told, where it may have heard of the order.
 * @param moved the sales as they were before, with the e-mail of before
 */
export async function moveMails(tx: Tx, moved: OrderedSale[], correction: Correction): Promise<void> {
  const { first, before, to, by } = correction;
  const ids = moved.map(({ id }) => id);
  const onTheirWay = before ? await turnMails(tx, ids, before, to) : [];
  await sendAccess(tx, moved, to, onTheirWay);
  if (!before) return;
  for (const one of moved) await sendPix(tx, one, before, to);
  const named = moved.find(({ id }) => id === first) ?? moved[0];
  if (named && (hasAccess(named) || (await hasHeard(tx, ids, before))))
    await tellBefore(tx, named, { before, to, by });
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
      subject: null,
      bodySealed: null,
      payload: null,
      via: "platform",
      templateFailedAt: null,
      turnAt: null,
      account: null,
      dueAt: sql`now()`,
    })
    .where(and(waiting, eq(mails.attempts, 0), isNotNull(mails.facts)))
    .returning({ saleId: mails.saleId, kind: mails.kind });
  await tx
    .update(mails)
    .set({
      status: "failed",
      failure: "dropped",
      error: "O e-mail da compra foi corrigido antes do envio.",
      dueAt: sql`now()`,
    })
    .where(waiting);
  return turned.flatMap(({ saleId, kind }) => (saleId && BRING_ACCESS.includes(kind) ? saleId : []));
}

async function sendAccess(tx: Tx, family: OrderedSale[], to: string, onTheirWay: string[]): Promise<void> {
  const paid = family.filter((one) => hasAccess(one) && !onTheirWay.includes(one.id));
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

const WHO = {
  buyer: {
    corrected: "quem comprou",
    undo: "A compra é sua e não foi você quem trocou? Responda a este e-mail: quem vendeu pode desfazer.",
  },
  seller: {
    corrected: "quem vendeu",
    undo: "A compra é sua e este é o e-mail certo? Responda a este e-mail: quem vendeu pode desfazer.",
  },
};

/** To the address of before: it may be a stranger's, who learns nothing, or the buyer's own, who did not do this. */
async function tellBefore(
  tx: Tx,
  { id, sellerId }: OrderedSale,
  { before, to, by }: Omit<Correction, "first" | "before"> & { before: string },
): Promise<void> {
  const [seller] = await tx
    .select({
      name: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      email: sellers.email,
      product: sql<string>`(select name from ${saleLines} where sale_id = ${id} order by position limit 1)`,
    })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  const { name, email, product } = seller!;
  const store = await findStore(sellerId, tx);
  await queueMail(tx, {
    kind: "email-corrected",
    idempotencyKey: `email-corrected/${randomUUID()}`,
    recipient: before,
    sellerId,
    saleId: id,
    mail: withStoreFoot(
      {
        subject: `O e-mail de uma compra foi corrigido: ${product}`,
        replyTo: email,
        html: mailLayout({
          title: "Este não é mais o e-mail da compra",
          preview: "Os links que chegaram aqui deixaram de valer.",
          bodyHtml: [
            paragraph(
              `O e-mail da compra de <strong>${escapeHtml(product)}</strong>, de ${escapeHtml(name)}, foi corrigido por ${WHO[by].corrected}. O acesso vai agora para ${escapeHtml(maskMail(to))}, e os links que chegaram a este endereço deixaram de valer.`,
            ),
            paragraph(
              "Não conhece esta compra? Então não há nada a fazer: alguém digitou o seu e-mail por engano.",
            ),
            paragraph(WHO[by].undo),
          ].join("\n"),
          footerHtml: `Número da compra: ${shortNumber(id)}`,
        }),
      },
      store,
    ),
  });
}
