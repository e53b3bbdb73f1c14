import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";
import { holdsAccess } from "#app/domain/sale/holds-access.server.ts";
import { purchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFoot } from "#app/domain/storefront/store/store-mail-foot.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { SECOND } from "#app/kit/duration.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Longer than the work takes, so that the time does not tell whether the address bought anything. */
const ALWAYS = SECOND / 4;
const MOST = 20;

/** Mails the ways to all paid purchases to the address that made them; an unknown one gets nothing, and nobody is told. */
export async function sendAccessLinks(email: string): Promise<void> {
  await Promise.all([queueLinks(email), new Promise((later) => setTimeout(later, ALWAYS))]);
}

async function queueLinks(email: string): Promise<void> {
  const found = await db
    .select({
      id: sales.id,
      completedAt: sales.completedAt,
      emailCorrectedAt: linksEndedAt,
      name: sql<string>`(select name from sale_lines where sale_id = sales.id order by position limit 1)`,
      store: storeColumn,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(and(eq(sales.customerEmail, email), holdsAccess))
    .orderBy(desc(sales.completedAt))
    .limit(MOST);
  if (found.length === 0) return;
  await db.transaction((tx) =>
    queueMail(tx, {
      kind: "access-links",
      idempotencyKey: `access-links/${randomUUID()}`,
      recipient: email,
      mail: withStoreFoot(
        {
          subject: found.length === 1 ? `Seu acesso: ${found[0]!.name}` : "Seus acessos",
          html: mailLayout({
            title: "Aqui está o seu acesso",
            preview: "O link da sua compra, de novo.",
            bodyHtml: [
              ...found.map((sale) => linkTo(sale, email)),
              paragraph(
                `Tudo o que você já comprou, com recibos: <a href="${env.APP_URL + paths.purchases()}">Minhas compras</a>`,
              ),
            ].join("\n"),
            footerHtml: "Se você não pediu este e-mail, pode ignorá-lo: ninguém mais o recebeu.",
          }),
        },
        ...found.map(({ store }) => store),
      ),
    }),
  );
}

type Found = { id: string; name: string; completedAt: Date | null; emailCorrectedAt: Date | null };

function linkTo(sale: Found, email: string): string {
  const bought = sale.completedAt ? `, comprado em ${formatDate(sale.completedAt)}` : "";
  return (
    paragraph(`<strong>${escapeHtml(sale.name)}</strong>${bought}`) +
    mailButton("Acessar minha compra", purchaseUrl(sale, email))
  );
}
