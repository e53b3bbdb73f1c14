import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { countDownload } from "#app/domain/access/count-download.server.ts";
import { itemUrl, readTicket } from "#app/domain/access/download-links.server.ts";
import { lineContentId } from "#app/domain/access/line-content.server.ts";
import { type Proof, refuseOldLink } from "#app/domain/access/may-open.server.ts";
import { hasAccess, WHY_NO_ACCESS } from "#app/domain/access/why-no-access.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** Where a link to something bought leads: further, to a text, or to a file of ours. */
export type Opened =
  | { kind: "lead"; to: string }
  | { kind: "text"; name: string; html: string }
  | { kind: "file"; fileId: string; name: string; size: number; contentType: string; readyAt: Date };

type Asked = { saleId: string; lineId: string; query: URLSearchParams; proof: Proof };

/**
 * What a link to an item of a purchase opens. The permanent address leads to a signed one that ends in hours; that one
 * opens, and is counted when its file is first asked for. Each use asks how the sale stands.
 * @param counts whether the file's bytes are asked for
 * @throws Refusal not-found for what was not bought; forbidden where access ended, the link did (`link_expired`), or the
 * sale's downloads are used up (`download_limit`), or the link went to an e-mail that was corrected (`email_corrected`)
 */
export async function openItem({ saleId, lineId, query, proof }: Asked, counts: boolean): Promise<Opened> {
  const itemId = query.get("item") ?? "";
  if (![saleId, lineId, itemId].every(isUuid)) throw notFound("Arquivo não encontrado");
  const found = await findItem(saleId, lineId, itemId);
  if (!found) throw notFound("Arquivo não encontrado");
  const { item, file, sale } = found;
  const { status } = sale;
  const of = { saleId, lineId, itemId, correctedAt: sale.emailCorrectedAt };
  const ticket = readTicket(of, query);
  if (ticket === null) await refuseOldLink(sale, proof);
  if (!hasAccess(status))
    throw new Refusal(
      "forbidden",
      WHY_NO_ACCESS[status as keyof typeof WHY_NO_ACCESS],
      undefined,
      undefined,
      status,
    );
  if (item.kind === "text") return { kind: "text", name: item.name, html: item.html ?? "" };
  if (ticket === null) {
    const to = itemUrl(saleId, lineId, itemId, Date.now(), sale.emailCorrectedAt, proof.key);
    return { kind: "lead", to };
  }
  if (ticket.expired)
    throw new Refusal(
      "forbidden",
      "Este link expirou: cada um vale por algumas horas.",
      undefined,
      undefined,
      "link_expired",
    );
  if (item.kind === "link") return { kind: "lead", to: item.url! };
  if (!file?.readyAt || !file.contentType) throw notFound("Arquivo não encontrado");
  if (counts) await countDownload({ saleId, lineId, itemId }, ticket.signature);
  const { id: fileId, name, size, contentType, readyAt } = file;
  return { kind: "file", fileId, name, size, contentType, readyAt };
}

async function findItem(saleId: string, lineId: string, itemId: string) {
  const [found] = await db
    .select({
      sale: {
        id: sales.id,
        status: sales.status,
        parentSaleId: sales.parentSaleId,
        customerEmail: sales.customerEmail,
        emailCorrectedAt: sales.emailCorrectedAt,
      },
      item: contentItems,
      file: files,
    })
    .from(saleLines)
    .innerJoin(sales, eq(sales.id, saleLines.saleId))
    .innerJoin(contentItems, eq(contentItems.contentId, lineContentId))
    .leftJoin(files, eq(files.id, contentItems.fileId))
    .where(and(eq(saleLines.id, lineId), eq(saleLines.saleId, saleId), eq(contentItems.id, itemId)));
  return found;
}
