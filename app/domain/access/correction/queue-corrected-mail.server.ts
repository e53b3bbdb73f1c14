import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { replyAddressSql } from "#app/db/schema/mail-settings.server.ts";
import { saleLines } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { OrderedSale } from "#app/domain/sale/lock-order.server.ts";
import { findStore } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { maskMail } from "#app/kit/mail-address.ts";
import { shortNumber } from "#app/kit/uuid.ts";

/** A corrected e-mail. The old one is null where there was none; the notification names the first sale. */
export type EmailCorrection = {
  namedSaleId: string;
  oldEmail: string | null;
  newEmail: string;
  correctedBy: "buyer" | "seller";
};

const TEXTS_BY_CORRECTOR = {
  buyer: {
    corrected: "quem comprou",
    undo: "A compra é sua e não foi você quem trocou? Responda a este e-mail: quem vendeu pode desfazer.",
  },
  seller: {
    corrected: "quem vendeu",
    undo: "A compra é sua e este é o e-mail certo? Responda a este e-mail: quem vendeu pode desfazer.",
  },
};

/** Notifies the old address. It may be a stranger's, who must learn nothing, or the buyer's own, who did not correct it. */
export async function queueCorrectedMail(
  tx: Tx,
  { id, sellerId }: OrderedSale,
  {
    oldEmail,
    newEmail,
    correctedBy,
    movesAccess,
  }: Omit<EmailCorrection, "namedSaleId" | "oldEmail"> & { oldEmail: string; movesAccess: boolean },
): Promise<void> {
  const [seller] = await tx
    .select({
      name: sellerNameSql,
      replyTo: replyAddressSql,
      product: sql<string>`(select name from ${saleLines} where seller_id = ${sellerId} and sale_id = ${id} order by position limit 1)`,
    })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  const { name, replyTo, product } = seller!;
  const store = await findStore(sellerId, tx);
  await queueMail(tx, {
    kind: "email-corrected",
    idempotencyKey: `email-corrected/${randomUUID()}`,
    recipient: oldEmail,
    sellerId,
    saleId: id,
    mail: withStoreFooter(
      {
        subject: `O e-mail de uma compra foi corrigido: ${product}`,
        replyTo,
        html: renderMailLayout({
          title: "Este não é mais o e-mail da compra",
          preview: "Os links que chegaram aqui deixaram de valer.",
          bodyHtml: [
            renderParagraph(
              `O e-mail da compra de <strong>${escapeHtml(product)}</strong>, de ${escapeHtml(name)}, foi corrigido por ${TEXTS_BY_CORRECTOR[correctedBy].corrected}. ${movesAccess ? "O acesso vai" : "Os e-mails desta compra vão"} agora para ${escapeHtml(maskMail(newEmail))}, e os links que chegaram a este endereço deixaram de valer.`,
            ),
            renderParagraph(
              "Não conhece esta compra? Então não há nada a fazer: alguém digitou o seu e-mail por engano.",
            ),
            renderParagraph(TEXTS_BY_CORRECTOR[correctedBy].undo),
          ].join("\n"),
          footerHtml: `Número da compra: ${shortNumber(id)}`,
        }),
      },
      store,
    ),
  });
}
