import { randomUUID } from "node:crypto";
import { and, desc, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { hasAccessCondition } from "#app/domain/sale/has-access-condition.server.ts";
import { buildPurchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { storeColumn } from "#app/domain/storefront/store/find-store.server.ts";
import { withStoreFooter } from "#app/domain/storefront/store/store-mail-footer.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { SECOND } from "#app/kit/duration.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Longer than the work takes, so that the duration does not reveal whether the address bought anything. */
const MIN_WAIT = SECOND / 4;
const MAX_PURCHASES = 20;

/** Mails the links to all paid purchases of an address to it. An unknown address gets nothing, and the caller cannot tell. */
export async function sendAccessLinks(email: string): Promise<void> {
  await Promise.all([queueLinksMail(email), new Promise((resolve) => setTimeout(resolve, MIN_WAIT))]);
}

async function queueLinksMail(email: string): Promise<void> {
  const purchases = await db
    .select({
      id: sales.id,
      completedAt: sales.completedAt,
      name: sql<string>`(select name from sale_lines where seller_id = sales.seller_id and sale_id = sales.id order by position limit 1)`,
      store: storeColumn,
    })
    .from(sales)
    .innerJoin(sellers, eq(sellers.id, sales.sellerId))
    .where(and(eq(sales.customerEmail, email), hasAccessCondition))
    .orderBy(desc(sales.completedAt))
    .limit(MAX_PURCHASES);
  if (purchases.length === 0) return;
  await db.transaction((tx) =>
    queueMail(tx, {
      kind: "access-links",
      idempotencyKey: `access-links/${randomUUID()}`,
      recipient: email,
      mail: withStoreFooter(
        {
          subject: purchases.length === 1 ? `Seu acesso: ${purchases[0]!.name}` : "Seus acessos",
          html: renderMailLayout({
            title: "Aqui está o seu acesso",
            preview: "O link da sua compra, de novo.",
            bodyHtml: [
              ...purchases.map((sale) => renderPurchaseLink(sale, email)),
              renderParagraph(
                `Tudo o que você já comprou, com recibos: <a href="${env.APP_URL + paths.purchases()}">Minhas compras</a>`,
              ),
            ].join("\n"),
            footerHtml: "Se você não pediu este e-mail, pode ignorá-lo: ninguém mais o recebeu.",
          }),
        },
        ...purchases.map(({ store }) => store),
      ),
    }),
  );
}

type FoundPurchase = { id: string; name: string; completedAt: Date | null };

function renderPurchaseLink(sale: FoundPurchase, email: string): string {
  const boughtText = sale.completedAt ? `, comprado em ${formatDate(sale.completedAt)}` : "";
  return (
    renderParagraph(`<strong>${escapeHtml(sale.name)}</strong>${boughtText}`) +
    renderMailButton("Acessar minha compra", buildPurchaseUrl(sale, email))
  );
}
