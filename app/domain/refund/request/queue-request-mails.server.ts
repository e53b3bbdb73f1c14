import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { replyAddressSql } from "#app/db/schema/mail-settings.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellerNameSql, sellers } from "#app/db/schema/sellers.server.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { anonymizationDate } from "#app/domain/sale/closed-shop.ts";
import { findStore } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";

/** A mail's text; `lines` are HTML. What buyer and seller write to each other is shown on our pages only. */
type MailText = { subject: string; lines: string[] };
type RequestMails = {
  event: string;
  toBuyer: (context: MailContext) => MailText;
  toSeller?: (context: MailContext) => MailText;
};
export type MailContext = Awaited<ReturnType<typeof loadMailContext>>;

/** Queues the mails about a refund request to buyer and seller, once per event. */
export async function queueRequestMails(
  tx: Tx,
  saleId: string,
  { event, toBuyer, toSeller }: RequestMails,
): Promise<void> {
  const context = await loadMailContext(tx, saleId);
  const { sellerId, buyerEmail, sellerEmail, replyTo, closedAt } = context;
  const store = await findStore(sellerId, tx);
  const renderMail = ({ subject, lines }: MailText, label: string, page: string) => ({
    subject,
    html: renderMailLayout({
      title: subject,
      bodyHtml: [...lines.map(renderParagraph), renderMailButton(label, env.APP_URL + page)].join("\n"),
      footerHtml: `Número da compra: ${shortNumber(saleId)}`,
    }),
  });
  await queueMails(tx, [
    ...(buyerEmail
      ? [
          {
            kind: "refund-news" as const,
            idempotencyKey: `refund-news/${event}`,
            recipient: buyerEmail,
            sellerId,
            saleId,
            mail: {
              ...withStoreFooter(renderMail(toBuyer(context), "Ver a compra", paths.receipt(saleId)), store),
              replyTo,
            },
          },
        ]
      : []),
    ...(toSeller
      ? [
          {
            kind: "refund-asked" as const,
            idempotencyKey: `refund-asked/${event}`,
            recipient: sellerEmail,
            sellerId,
            saleId,
            mail: closedAt
              ? renderMail(
                  ofClosedAccount(toSeller(context), closedAt, buyerEmail !== null),
                  "Ver a conta",
                  paths.closing(),
                )
              : renderMail(toSeller(context), "Abrir a venda", paths.sale(saleId)),
          },
        ]
      : []),
  ]);
}

/** The seller of a closed account opens no sale. */
function ofClosedAccount({ subject, lines }: MailText, closedAt: Date, hasBuyer: boolean): MailText {
  const ends = anonymizationDate(closedAt);
  const line =
    ends > new Date()
      ? `Sua conta está encerrada: para abrir a venda, reabra a conta antes de <strong>${formatDate(ends)}</strong>.`
      : `Sua conta está encerrada e não pode mais ser reaberta: a venda não abre mais${hasBuyer ? ", e o que falta só pode ser combinado direto com o comprador" : ""}.`;
  return { subject, lines: [...lines, line] };
}

async function loadMailContext(tx: Tx, saleId: string) {
  const [context] = await tx
    .select({
      sellerId: sales.sellerId,
      buyerEmail: sales.customerEmail,
      sellerEmail: sellers.email,
      replyTo: replyAddressSql,
      closedAt: sellers.closedAt,
      seller: sellerNameSql,
      product: sql<string>`(select name from sale_lines l where l.seller_id = ${sales.sellerId} and l.sale_id = ${saleId} order by position limit 1)`,
      amountCents: sales.amountCents,
      leftCents: sql<number>`${sales.amountCents} - ${sales.refundedCents}`,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  const { amountCents, leftCents } = context!;
  return {
    ...context!,
    ...{
      price: formatMoney(amountCents),
      amount: formatMoney(leftCents),
      isPartLeft: leftCents < amountCents,
    },
  };
}
