import { eq, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMails } from "#app/domain/mail/queue/queue-mail.server.ts";
import { findStore } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFoot } from "#app/domain/storefront/store/store-mail-foot.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";
import { env } from "#app/platform/env.server.ts";

/** A mail's words; `lines` are HTML. What buyer and seller wrote to each other is read on our pages alone. */
type Words = { subject: string; lines: string[] };
type News = { event: string; toBuyer?: (about: About) => Words; toSeller?: (about: About) => Words };
export type About = Awaited<ReturnType<typeof readAbout>>;

/** Queues what buyer and seller are told of a refund request, each once an event. */
export async function queueRequestMails(
  tx: Tx,
  saleId: string,
  { event, toBuyer, toSeller }: News,
): Promise<void> {
  const about = await readAbout(tx, saleId);
  const { sellerId, buyerEmail, sellerEmail } = about;
  const store = await findStore(sellerId, tx);
  const write = ({ subject, lines }: Words, label: string, page: string) => ({
    subject,
    html: mailLayout({
      title: subject,
      bodyHtml: [...lines.map(paragraph), mailButton(label, env.APP_URL + page)].join("\n"),
      footerHtml: `Número da compra: ${shortNumber(saleId)}`,
    }),
  });
  await queueMails(tx, [
    ...(toBuyer && buyerEmail
      ? [
          {
            kind: "refund-news" as const,
            idempotencyKey: `refund-news/${event}`,
            recipient: buyerEmail,
            sellerId,
            saleId,
            mail: {
              ...withStoreFoot(write(toBuyer(about), "Ver a compra", paths.receipt(saleId)), store),
              replyTo: sellerEmail,
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
            mail: write(toSeller(about), "Abrir a venda", paths.sale(saleId)),
          },
        ]
      : []),
  ]);
}

async function readAbout(tx: Tx, saleId: string) {
  const [about] = await tx
    .select({
      sellerId: sales.sellerId,
      buyerEmail: sales.customerEmail,
      sellerEmail: sellers.email,
      seller: sql<string>`coalesce(nullif(${sellers.company}, ''), ${sellers.name})`,
      product: sql<string>`(select name from sale_lines l where l.sale_id = ${saleId} order by position limit 1)`,
      leftCents: sql<number>`${sales.amountCents} - ${sales.refundedCents}`,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(eq(sales.id, saleId));
  return { ...about!, amount: formatMoney(about!.leftCents) };
}
