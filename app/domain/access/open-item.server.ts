import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { contentItems, downloads, files } from "#app/db/schema/files.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { hasAccess, refuseEndedAccess, refuseExpiredLink } from "#app/domain/access/has-access.ts";
import { isCounted } from "#app/domain/access/is-counted.server.ts";
import { DOWNLOADS_PER_SALE } from "#app/domain/access/limits.ts";
import { type AccessProof, refuseOldLink } from "#app/domain/access/refuse-old-link.server.ts";
import { markFileFound } from "#app/domain/access/report-missing-file.server.ts";
import { isBoughtSql, lineContentIdSql } from "#app/domain/content/line-content.server.ts";
import { isForfeitedSql, linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";
import { isStored, requestStampedCopy } from "#app/domain/stamped-copy/request-stamped-copy.server.ts";
import { unstampableReason } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { hashToken, isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

/** The result of a link to something bought: a redirect, a text, a file, or a file that is being stamped or is missing. */
export type OpenedItem =
  | { kind: "lead"; to: string }
  | { kind: "text"; name: string; html: string }
  | { kind: "preparing"; name: string }
  | { kind: "missing"; fileId: string }
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
    // A copy that was made before may outlive its PDF.
    if (file.missingAt && (!opened.isCopy || (await isStored(fileId)))) await markFileFound(fileId);
    await countDownload({ saleId, lineId, itemId }, signedLink.signature);
  };
  const opened: OpenedFile = { kind: "file", fileId, name, size, contentType, readyAt, isCopy: false, count };
  if (item.stampedSince && unstampableReason(file) === null) {
    const stampedCopy = await requestStampedCopy({ sellerId: file.sellerId, fileId, sale });
    if (stampedCopy.state === "preparing") return { kind: "preparing", name };
    if (stampedCopy.state === "missing") return { kind: "missing", fileId };
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
        amountCents: sales.amountCents,
        accessSuspendedAt: sales.accessSuspendedAt,
        parentSaleId: sales.parentSaleId,
        customerName: sales.customerName,
        customerEmail: sales.customerEmail,
        emailCorrectedAt: linksRevokedAt,
        isGivenUp: isForfeitedSql,
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

/**
 * Counts a download once per signed URL: players and resumed downloads request many ranges of one file.
 * @throws Refusal forbidden (`download_limit`) where the sale's downloads of this file are used up
 */
async function countDownload(
  { saleId, lineId, itemId }: { saleId: string; lineId: string; itemId: string },
  signature: string,
): Promise<void> {
  const ticket = hashToken(signature);
  const countedBefore = await db.$count(downloads, eq(downloads.ticket, ticket));
  if (countedBefore > 0) return;
  await db.transaction(async (tx) => {
    // Locks the sale: concurrent downloads are counted one after the other, and none during a refund.
    const [sale] = await tx
      .select({ sellerId: sales.sellerId, status: sales.status, accessSuspendedAt: sales.accessSuspendedAt })
      .from(sales)
      .where(eq(sales.id, saleId))
      .for("no key update");
    if (!sale || !hasAccess(sale)) throw notFound("Arquivo não encontrado");
    const used = await tx.$count(
      downloads,
      and(ownOfSale(downloads, sale.sellerId, saleId), eq(downloads.itemId, itemId), isCounted),
    );
    const countedMeanwhile = await tx.$count(downloads, eq(downloads.ticket, ticket));
    if (countedMeanwhile > 0) return;
    if (used >= DOWNLOADS_PER_SALE)
      throw new Refusal(
        "forbidden",
        `Este arquivo já foi baixado ${DOWNLOADS_PER_SALE} vezes, o limite de uma compra. Quem vendeu pode liberar novos downloads para você.`,
        undefined,
        undefined,
        "download_limit",
      );
    await tx
      .insert(downloads)
      .values({ saleId, sellerId: sale.sellerId, lineId, itemId, ticket })
      .onConflictDoNothing();
  });
}

/** How long a signed URL works. */
const LINK_LIFETIME = 6 * HOUR;
/** Seconds since 1970, in the only spelling we generate. */
const TIMESTAMP_PATTERN = /^[1-9]\d{0,14}$/;

/** `correctedAt`: when the buyer's e-mail was corrected; URLs signed before that are invalid. */
type LinkTarget = { saleId: string; lineId: string; itemId: string; correctedAt: Date | null };
/** A URL's signature, and when it ends. */
type SignedLink = { signature: string; until: number };

/**
 * A signed URL for an item of a purchase. It expires, and does not reveal where the file is stored. `key` is that of the
 * mailed link it was requested by: once expired, the URL leads to a new one.
 */
export function itemUrl(
  saleId: string,
  lineId: string,
  itemId: string,
  now = Date.now(),
  correctedAt: Date | null = null,
  key = "",
): string {
  const until = String(Math.floor((now + LINK_LIFETIME) / 1000));
  const signature = signLink(sign, { saleId, lineId, itemId, correctedAt }, until);
  return `${paths.boughtItem(saleId, lineId, itemId, key)}&ate=${until}&assinatura=${signature}`;
}

/** Reads a URL's signature; null where it has none and is the permanent one. @throws Refusal not-found where it is invalid */
function readSignedLink(linkTarget: LinkTarget, query: URLSearchParams): SignedLink | null {
  if (!query.has("ate") && !query.has("assinatura")) return null;
  const until = query.get("ate") ?? "";
  const givenSignature = query.get("assinatura") ?? "";
  const isValid = signers.some((signer) => isSameSecret(signLink(signer, linkTarget, until), givenSignature));
  if (!TIMESTAMP_PATTERN.test(until) || !isValid) throw notFound("Arquivo não encontrado");
  return { signature: givenSignature, until: Number(until) * 1000 };
}

function signLink(sign: Sign, { saleId, lineId, itemId, correctedAt }: LinkTarget, until: string): string {
  const correctedSuffix = correctedAt ? `:${correctedAt.getTime()}` : "";
  return sign(`item:${saleId}:${lineId}:${itemId}:${until}${correctedSuffix}`);
}
