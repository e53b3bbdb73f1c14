import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { countDownload } from "#app/domain/access/count-download.server.ts";
import { itemUrl, readTicket } from "#app/domain/access/download-links.server.ts";
import { lineContentId } from "#app/domain/access/line-content.server.ts";
import { type Proof, refuseOldLink } from "#app/domain/access/may-open.server.ts";
import { refuseEnded, refuseExpired } from "#app/domain/access/refuse-ended.ts";
import { noteFound } from "#app/domain/access/report-missing.server.ts";
import { isGivenUp, linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";
import { askForStamp } from "#app/domain/stamp/ask-for-stamp.server.ts";
import { neverStamped } from "#app/domain/stamp/why-unstamped.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** Where a link to something bought leads: further, to a text, to a file of ours, or to one that is being stamped. */
export type Opened =
  | { kind: "lead"; to: string }
  | { kind: "text"; name: string; html: string }
  | { kind: "preparing"; name: string }
  | OpenedFile;
/** `isCopy`: it was made for this buyer. `size` in bytes. */
export type OpenedFile = {
  kind: "file";
  fileId: string;
  name: string;
  size: number;
  contentType: string;
  readyAt: Date;
  isCopy: boolean;
  /** @throws Refusal forbidden (`download_limit`) where the sale's downloads of it are used up */
  count: () => Promise<void>;
};

type Asked = { saleId: string; lineId: string; query: URLSearchParams; proof: Proof };

/**
 * What a link to an item of a purchase opens. The permanent address leads to a signed one that ends in hours; that one
 * opens. Each use asks how the sale stands. A file is counted by its `count`, once its bytes are at hand.
 * @throws Refusal not-found for what was not bought; forbidden where access ended, the link did (`link_expired`), or it went to an e-mail that was corrected (`email_corrected`),
 * or the buyer had their data emptied (`emptied`)
 */
export async function openItem({ saleId, lineId, query, proof }: Asked): Promise<Opened> {
  const itemId = query.get("item") ?? "";
  if (![saleId, lineId, itemId].every(isUuid)) throw notFound("Arquivo não encontrado");
  const found = await findItem(saleId, lineId, itemId);
  if (!found) throw notFound("Arquivo não encontrado");
  const { item, file, sale } = found;
  const of = { saleId, lineId, itemId, correctedAt: sale.emailCorrectedAt };
  const ticket = readTicket(of, query);
  if (ticket === null) await refuseOldLink(sale, proof);
  refuseEnded(sale);
  if (ticket !== null) refuseExpired(ticket.until);
  if (item.kind === "text") return { kind: "text", name: item.name, html: item.html ?? "" };
  if (ticket === null) {
    const to = itemUrl(saleId, lineId, itemId, Date.now(), sale.emailCorrectedAt, proof.key);
    return { kind: "lead", to };
  }
  if (item.kind === "link") return { kind: "lead", to: item.url! };
  if (!file?.readyAt || !file.contentType) throw notFound("Arquivo não encontrado");
  const { id: fileId, name, size, contentType, readyAt } = file;
  const count = async () => {
    if (file.missingAt) await noteFound(fileId);
    await countDownload({ saleId, lineId, itemId }, ticket.signature);
  };
  const opened: OpenedFile = { kind: "file", fileId, name, size, contentType, readyAt, isCopy: false, count };
  if (item.stampedSince && neverStamped(file) === null) {
    const stamp = await askForStamp({ sellerId: file.sellerId, fileId, sale });
    if (stamp.state === "preparing") return { kind: "preparing", name };
    if (stamp.state === "ready")
      Object.assign(opened, { fileId: stamp.copyId, size: stamp.size, readyAt: stamp.readyAt, isCopy: true });
  }
  return opened;
}

async function findItem(saleId: string, lineId: string, itemId: string) {
  const [found] = await db
    .select({
      sale: {
        id: sales.id,
        status: sales.status,
        accessSuspendedAt: sales.accessSuspendedAt,
        parentSaleId: sales.parentSaleId,
        customerName: sales.customerName,
        customerEmail: sales.customerEmail,
        emailCorrectedAt: linksEndedAt,
        isGivenUp,
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
