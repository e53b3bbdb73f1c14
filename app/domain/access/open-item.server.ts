import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { countDownload } from "#app/domain/access/count-download.server.ts";
import { itemUrl, readSignedLink } from "#app/domain/access/item-links.server.ts";
import { isBoughtSql, lineContentIdSql } from "#app/domain/access/line-content.server.ts";
import { refuseEndedAccess, refuseExpiredLink } from "#app/domain/access/refuse-ended-access.ts";
import { type AccessProof, refuseOldLink } from "#app/domain/access/refuse-old-link.server.ts";
import { markFileFound } from "#app/domain/access/report-missing-file.server.ts";
import { isForfeited, linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";
import { requestStampedCopy } from "#app/domain/stamped-copy/request-stamped-copy.server.ts";
import { unstampableReason } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";

/** The result of a link to something bought: a redirect, a text, a file, or a file that is being stamped. */
export type OpenedItem =
  | { kind: "lead"; to: string }
  | { kind: "text"; name: string; html: string }
  | { kind: "preparing"; name: string }
  | OpenedFile;
/** `isCopy`: made for this buyer. `size` in bytes. */
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

type ItemRequest = { saleId: string; lineId: string; query: URLSearchParams; proof: AccessProof };

/**
 * Opens an item of a purchase. The permanent link redirects to a signed one, which works for hours. The sale's state is
 * checked at each use. Call a file's `count` once its bytes are available.
 * @throws Refusal not-found for what was not bought; forbidden where access ended, the link expired (`link_expired`), its
 * e-mail was corrected (`email_corrected`), or the buyer was anonymized (`emptied`)
 */
export async function openItem({ saleId, lineId, query, proof }: ItemRequest): Promise<OpenedItem> {
  const itemId = query.get("item") ?? "";
  if (![saleId, lineId, itemId].every(isUuid)) throw notFound("Arquivo não encontrado");
  const found = await findItem(saleId, lineId, itemId);
  if (!found) throw notFound("Arquivo não encontrado");
  const { item, file, sale } = found;
  const linkTarget = { saleId, lineId, itemId, correctedAt: sale.emailCorrectedAt };
  const signedLink = readSignedLink(linkTarget, query);
  if (signedLink === null) await refuseOldLink(sale, proof);
  refuseEndedAccess(sale);
  if (signedLink !== null) refuseExpiredLink(signedLink.until);
  if (item.kind === "text") return { kind: "text", name: item.name, html: item.html ?? "" };
  if (signedLink === null) {
    const to = itemUrl(saleId, lineId, itemId, Date.now(), sale.emailCorrectedAt, proof.key);
    return { kind: "lead", to };
  }
  if (item.kind === "link") return { kind: "lead", to: item.url! };
  if (!file?.readyAt || !file.contentType) throw notFound("Arquivo não encontrado");
  const { id: fileId, name, size, contentType, readyAt } = file;
  const count = async () => {
    if (file.missingAt) await markFileFound(fileId);
    await countDownload({ saleId, lineId, itemId }, signedLink.signature);
  };
  const opened: OpenedFile = { kind: "file", fileId, name, size, contentType, readyAt, isCopy: false, count };
  if (item.stampedSince && unstampableReason(file) === null) {
    const stampedCopy = await requestStampedCopy({ sellerId: file.sellerId, fileId, sale });
    if (stampedCopy.state === "preparing") return { kind: "preparing", name };
    if (stampedCopy.state === "ready")
      Object.assign(opened, {
        fileId: stampedCopy.copyId,
        size: stampedCopy.size,
        readyAt: stampedCopy.readyAt,
        isCopy: true,
      });
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
        emailCorrectedAt: linksRevokedAt,
        isGivenUp: isForfeited,
      },
      item: contentItems,
      file: files,
    })
    .from(saleLines)
    .innerJoin(sales, eq(sales.id, saleLines.saleId))
    .innerJoin(contentItems, eq(contentItems.contentId, lineContentIdSql))
    .leftJoin(files, eq(files.id, contentItems.fileId))
    .where(
      and(
        eq(saleLines.id, lineId),
        eq(saleLines.saleId, saleId),
        eq(contentItems.id, itemId),
        isBoughtSql(contentItems.id),
      ),
    );
  return found;
}
