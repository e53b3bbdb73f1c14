import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { hasAccess } from "#app/domain/access/has-access.ts";
import { correctEmail, refuseCorrection } from "#app/domain/buyer/correct-email.server.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { validUntil } from "#app/domain/mail/message/valid-until.ts";
import { linkEnd } from "#app/domain/mail/queue/link-lifetimes.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { findStoreOfSale } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid, shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";
import { seal, unseal } from "#app/platform/secrets.server.ts";

/** Marks the purpose of the token: values sealed for other purposes are rejected. */
const PREFIX = "correct-email:";

/** A purchase whose e-mail may be wrong. */
export type CorrectablePurchase = {
  saleId: string;
  sellerId: string;
  parentSaleId: string | null;
  productName: string;
  status: SaleStatus;
  amountCents: number;
  isPaid: boolean;
  /** False also where it is paid and suspended during a dispute: no access is mailed then. */
  hasAccess: boolean;
  customerEmail: string | null;
  emailCorrectedAt: Date | null;
};

/** @throws Refusal not-found */
export async function findCorrectablePurchase(saleId: string): Promise<CorrectablePurchase> {
  const [found] = isUuid(saleId)
    ? await db
        .select({
          saleId: sales.id,
          sellerId: sales.sellerId,
          parentSaleId: sales.parentSaleId,
          // Written as raw SQL: in a select of one table Drizzle omits the table's name, and `id` would be that of the
          // inner table.
          productName: sql<string>`(select name from sale_lines where seller_id = sales.seller_id and sale_id = sales.id order by position limit 1)`,
          status: sales.status,
          amountCents: sales.amountCents,
          accessSuspendedAt: sales.accessSuspendedAt,
          customerEmail: sales.customerEmail,
          emailCorrectedAt: linksRevokedAt,
        })
        .from(sales)
        .where(eq(sales.id, saleId))
    : [];
  if (!found) throw notFound("Compra não encontrada");
  const { accessSuspendedAt, ...sale } = found;
  const { status } = sale;
  const isPaid = status === "completed" || status === "disputed";
  return { ...sale, isPaid, hasAccess: hasAccess({ status, accessSuspendedAt }) };
}

/**
 * Mails the owner of a purchase's e-mail a link to confirm its change.
 * @throws Refusal conflict where the purchase has no e-mail, and as `correctEmail` where it cannot be corrected
 */
export async function requestEmailCorrection(sale: CorrectablePurchase, to: string): Promise<void> {
  const { saleId, customerEmail: from, productName } = sale;
  if (!from)
    throw new Refusal(
      "conflict",
      "Esta compra está sem e-mail. Use o navegador em que ela foi feita, ou fale com quem vendeu.",
    );
  await refuseCorrection(sale);
  // The same answer as for another address, so that nobody learns which address it is.
  if (from === to) return;
  const correctedAt = sale.emailCorrectedAt?.getTime() ?? 0;
  const expiresAt = linkEnd("correct-email");
  const token = seal(`${PREFIX}${saleId} ${expiresAt.getTime()} ${from} ${to} ${correctedAt}`);
  const store = await findStoreOfSale(saleId);
  await db.transaction((tx) =>
    queueMail(tx, {
      kind: "correct-email",
      idempotencyKey: `correct-email/${randomUUID()}`,
      recipient: from,
      mail: withStoreFooter(
        {
          subject: `Trocar o e-mail da compra: ${productName}`,
          html: renderMailLayout({
            title: "Trocar o e-mail desta compra?",
            preview: "Só você pode confirmar.",
            bodyHtml: [
              renderParagraph(
                `Alguém pediu que o acesso de <strong>${escapeHtml(productName)}</strong> passe deste e-mail para <strong>${escapeHtml(to)}</strong>. Se foi você, confirme pelo botão, que ${validUntil(expiresAt)}:`,
              ),
              renderMailButton("Conferir e trocar", env.APP_URL + paths.correctEmail(saleId, token)),
              renderParagraph("Não foi você? Não toque no botão: nada muda."),
            ].join("\n"),
            footerHtml: `Número da compra: ${shortNumber(saleId)}`,
          }),
        },
        store,
      ),
    }),
  );
}

/**
 * `correctedAt`: when the purchase's e-mail was last corrected, 0 where never. It must be unchanged when the link is used.
 */
type EmailCorrection = { from: string; to: string; correctedAt: number };

/** The change that a mailed link makes; reading it changes nothing. @throws Refusal forbidden */
export function readEmailCorrection(saleId: string, token: string): EmailCorrection {
  const [id, until, from = "", to = "", correctedAt = ""] = unsealParts(token);
  if (id !== saleId || !isMailAddress(from) || !isMailAddress(to)) throw linkExpired();
  if (!(Number(until) > Date.now())) throw linkExpired();
  return { from, to, correctedAt: Number(correctedAt) };
}

/**
 * Makes the confirmed change, once: afterwards the address has no right to it. @throws Refusal forbidden, and as
 * `correctEmail`
 */
export async function confirmEmailCorrection(saleId: string, token: string): Promise<{ to: string }> {
  const { from, to, correctedAt } = readEmailCorrection(saleId, token);
  await correctEmail(saleId, to, { email: from, correctedAt });
  return { to };
}

function unsealParts(token: string): string[] {
  try {
    const text = unseal(token);
    return text.startsWith(PREFIX) ? text.slice(PREFIX.length).split(" ") : [];
  } catch {
    // Modified, or sealed with another APP_SECRET.
    return [];
  }
}

function linkExpired(): Refusal {
  return new Refusal("forbidden", "Este link não vale mais. Peça a troca do e-mail outra vez.");
}
