import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { correctEmail } from "#app/domain/buyer/correct-email.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";
import { findStoreOfSale } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFoot } from "#app/domain/storefront/store/store-mail-foot.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid, shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";

/** How long the owner of the address may take to agree. */
const LIFETIME = DAY;
/** What was sealed for something else is none of ours. */
const PREFIX = "correct-email:";

/** A purchase whose e-mail may be wrong. */
export type Correctable = {
  saleId: string;
  sellerId: string;
  parentSaleId: string | null;
  productName: string;
  isPaid: boolean;
  customerEmail: string | null;
  emailCorrectedAt: Date | null;
};

/** @throws Refusal not-found */
export async function findCorrectable(saleId: string): Promise<Correctable> {
  const [sale] = isUuid(saleId)
    ? await db
        .select({
          saleId: sales.id,
          sellerId: sales.sellerId,
          parentSaleId: sales.parentSaleId,
          // Spelled out: in a select of one table the columns' names come without it, and would mean the inner one.
          productName: sql<string>`(select name from sale_lines where sale_id = sales.id order by position limit 1)`,
          isPaid: sql<boolean>`${sales.status} in ('completed', 'disputed')`,
          customerEmail: sales.customerEmail,
          emailCorrectedAt: linksEndedAt,
        })
        .from(sales)
        .where(eq(sales.id, saleId))
    : [];
  if (!sale) throw notFound("Compra não encontrada");
  return sale;
}

/**
 * Asks the owner of a purchase's e-mail to agree that it becomes another.
 * @throws Refusal conflict where there is nobody to ask
 */
export async function askToCorrect(sale: Correctable, to: string): Promise<void> {
  const { saleId, customerEmail: from, productName } = sale;
  if (!from)
    throw new Refusal(
      "conflict",
      "Esta compra está sem e-mail. Use o navegador em que ela foi feita, ou fale com quem vendeu.",
    );
  // The same answer: it does not tell which address it is.
  if (from === to) return;
  const correctedAt = sale.emailCorrectedAt?.getTime() ?? 0;
  const token = seal(`${PREFIX}${saleId} ${Date.now() + LIFETIME} ${from} ${to} ${correctedAt}`);
  const store = await findStoreOfSale(saleId);
  await db.transaction((tx) =>
    queueMail(tx, {
      kind: "correct-email",
      idempotencyKey: `correct-email/${randomUUID()}`,
      recipient: from,
      mail: withStoreFoot(
        {
          subject: `Trocar o e-mail da compra: ${productName}`,
          html: mailLayout({
            title: "Trocar o e-mail desta compra?",
            preview: "Só você pode confirmar.",
            bodyHtml: [
              paragraph(
                `Alguém pediu que o acesso de <strong>${escapeHtml(productName)}</strong> passe deste e-mail para <strong>${escapeHtml(to)}</strong>. Se foi você, confirme em até 24 horas:`,
              ),
              mailButton("Conferir e trocar", env.APP_URL + paths.correctEmail(saleId, token)),
              paragraph("Não foi você? Não toque no botão: nada muda."),
            ].join("\n"),
            footerHtml: `Número da compra: ${shortNumber(saleId)}`,
          }),
        },
        store,
      ),
    }),
  );
}

/** `correctedAt`: when the purchase's e-mail had last been corrected, which the link must still find; 0 where never. */
type Correction = { from: string; to: string; correctedAt: number };

/** What a mailed link would change; looking changes nothing. @throws Refusal forbidden */
export function readCorrection(saleId: string, token: string): Correction {
  const [id, until, from = "", to = "", correctedAt = ""] = opened(token);
  if (id !== saleId || !isMailAddress(from) || !isMailAddress(to)) throw ended();
  if (!(Number(until) > Date.now())) throw ended();
  return { from, to, correctedAt: Number(correctedAt) };
}

/** Does what the owner of the address agreed to, once: afterwards it is no longer theirs. @throws Refusal forbidden, and as `correctEmail` */
export async function agreeToCorrect(saleId: string, token: string): Promise<{ to: string }> {
  const { from, to, correctedAt } = readCorrection(saleId, token);
  await correctEmail(saleId, to, { email: from, correctedAt });
  return { to };
}

function opened(token: string): string[] {
  try {
    const text = unseal(token);
    return text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(" ") : [];
  } catch {
    // Changed on its way, or sealed with another APP_SECRET.
    return [];
  }
}

function ended(): Refusal {
  return new Refusal("forbidden", "Este link não vale mais. Peça a troca do e-mail outra vez.");
}
