import { and, asc, eq, isNull, lt, or, sql } from "drizzle-orm";
import { db, type Tx } from "#app/db/client.server.ts";
import { contentItems, contents, files } from "#app/db/schema/files.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { removedFromProductId } from "#app/domain/content/removed-contents.server.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { log } from "#app/platform/log.server.ts";

/** Marks a file of a purchase as missing and notifies its seller, once each time, and again once it was replaced in one place only. */
export async function reportMissingFile(fileId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [file] = await tx
      .update(files)
      .set({ missingAt: new Date() })
      .where(and(eq(files.id, fileId), or(isNull(files.missingAt), lt(files.missingAt, files.touchedAt))))
      .returning();
    if (!file) return;
    log.error({ file: fileId }, "a file is gone from where it was kept");
    const [seller] = await tx
      .select({ email: sellers.email })
      .from(sellers)
      .where(eq(sellers.id, file.sellerId));
    if (!seller) return;
    await queueMail(tx, {
      kind: "missing-file",
      idempotencyKey: `missing-file/${fileId}/${file.missingAt!.getTime()}`,
      recipient: seller.email,
      sellerId: file.sellerId,
      mail: {
        subject: `Um arquivo seu sumiu: ${file.name}`,
        html: renderMailLayout({
          title: "Um arquivo seu sumiu",
          preview: "Um comprador tentou baixá-lo e não conseguiu.",
          bodyHtml: [
            renderParagraph(
              `Em ${formatDateTime(file.missingAt!)} o arquivo <strong>${escapeHtml(file.name)}</strong> não estava mais onde foi guardado.`,
            ),
            renderParagraph(replacementText(await findProductNames(tx, fileId))),
          ].join("\n"),
          footerHtml: "Você recebe este aviso porque vende este arquivo.",
        }),
      },
    });
  });
}

/** The products in whose content the file can be replaced, at most `MAX_NAMES`; those that were deleted last. */
async function findProductNames(tx: Tx, fileId: string): Promise<NamedProduct[]> {
  const isDeleted = sql<boolean>`${products.archivedAt} is not null`;
  return tx
    .selectDistinct({ name: products.name, isDeleted })
    .from(contentItems)
    .innerJoin(contents, eq(contents.id, contentItems.contentId))
    .leftJoin(orderBumps, eq(orderBumps.id, contents.orderBumpId))
    .leftJoin(upsells, eq(upsells.id, contents.upsellId))
    .innerJoin(
      products,
      sql`${products.id} = coalesce(${contents.productId}, ${orderBumps.productId}, ${upsells.productId}, ${removedFromProductId})`,
    )
    .where(eq(contentItems.fileId, fileId))
    .orderBy(isDeleted, asc(products.name))
    .limit(MAX_NAMES);
}

type NamedProduct = { name: string; isDeleted: boolean };

/** Copies of a product share its files: there may be many. */
const MAX_NAMES = 10;

/** How the seller replaces a file in these products; what to do instead where there are none. */
function replacementText(found: NamedProduct[]): string {
  if (found.length === 0)
    return "Não há mais onde enviá-lo de novo, porque o que o vendia foi apagado: mande o arquivo a quem comprou, ou devolva o valor.";
  const names = found.map(
    ({ name, isDeleted }) =>
      `<strong>${escapeHtml(name)}</strong>${isDeleted ? " (apagado: o conteúdo abre na página de cada venda dele)" : ""}`,
  );
  const each = names.length > 1 ? ", em cada um" : "";
  return `Envie-o de novo no conteúdo de ${new Intl.ListFormat("pt-BR").format(names)}${each}: quem já comprou recebe o arquivo novo.`;
}

/** Marks the file as found, for the seller's screen; if it goes missing again, the seller is notified again. */
export async function markFileFound(fileId: string): Promise<void> {
  await db.update(files).set({ missingAt: null }).where(eq(files.id, fileId));
}
