import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { refuseEndedAccess, refuseExpiredLink } from "#app/domain/access/has-access.ts";
import { type AccessProof, refuseOldLink } from "#app/domain/access/refuse-old-link.server.ts";
import { lineLink } from "#app/domain/catalog/content/line-link.server.ts";
import { isForfeitedSql, linksRevokedAt } from "#app/domain/sale/sale-anonymization.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

/** How long a download link works; the purchase page creates a new one each time it is opened. */
const LINK_LIFETIME = 6 * HOUR;

/** Seconds since 1970, in the only spelling we generate. */
const TIMESTAMP_PATTERN = /^[1-9]\d{0,14}$/;

/** `correctedAt`: when the buyer's e-mail was corrected; links created before that are invalid. */
type LinkTarget = { saleId: string; lineId: string; correctedAt: Date | null };

/**
 * A link to a bought file: signed, expiring, without revealing where the file is stored.
 * @param key of the mailed link that leads to it: once expired, it leads to a new one
 */
export function downloadUrl(
  saleId: string,
  lineId: string,
  now = Date.now(),
  correctedAt: Date | null = null,
  key = "",
): string {
  const until = String(Math.floor((now + LINK_LIFETIME) / 1000));
  const linkTarget = { saleId, lineId, correctedAt };
  const address = paths.download(saleId, lineId, key);
  return `${address}${key ? "&" : "?"}ate=${until}&assinatura=${signLink(sign, linkTarget, until)}`;
}

/**
 * Resolves a download link: the permanent one to a signed one, that one to the file's address while the sale is paid.
 * @throws Refusal not-found for what was not bought, and for an invalid link; forbidden where access ended, the link expired
 * (`link_expired`), its e-mail was corrected (`email_corrected`), or the buyer was anonymized (`emptied`)
 */
export async function openDownload(
  saleId: string,
  lineId: string,
  query: URLSearchParams,
  proof: AccessProof,
): Promise<string> {
  if (!isUuid(saleId) || !isUuid(lineId)) throw notFound("Arquivo não encontrado");
  const [line] = await db
    .select({
      sale: {
        id: sales.id,
        status: sales.status,
        amountCents: sales.amountCents,
        accessSuspendedAt: sales.accessSuspendedAt,
        parentSaleId: sales.parentSaleId,
        customerEmail: sales.customerEmail,
        emailCorrectedAt: linksRevokedAt,
        isGivenUp: isForfeitedSql,
      },
      url: lineLink,
    })
    .from(saleLines)
    .innerJoin(sales, eq(sales.id, saleLines.saleId))
    .leftJoin(products, eq(products.id, saleLines.productId))
    .leftJoin(orderBumps, eq(orderBumps.id, saleLines.orderBumpId))
    .leftJoin(upsells, eq(upsells.id, saleLines.upsellId))
    .where(and(eq(saleLines.id, lineId), eq(saleLines.saleId, saleId)));
  if (!line) throw notFound("Arquivo não encontrado");
  const { sale, url } = line;
  const isPermanent = !query.has("ate") && !query.has("assinatura");
  const until = isPermanent ? null : readUntil({ saleId, lineId, correctedAt: sale.emailCorrectedAt }, query);
  if (until === null) await refuseOldLink(sale, proof);
  refuseEndedAccess(sale);
  if (until !== null) refuseExpiredLink(until);
  if (!url) throw notFound("Arquivo não encontrado");
  return until === null ? downloadUrl(saleId, lineId, Date.now(), sale.emailCorrectedAt, proof.key) : url;
}

/** Until when a signed link works. @throws Refusal not-found where it is invalid */
function readUntil(linkTarget: LinkTarget, query: URLSearchParams): number {
  const until = query.get("ate") ?? "";
  const givenSignature = query.get("assinatura") ?? "";
  const isValid = signers.some((signer) => isSameSecret(signLink(signer, linkTarget, until), givenSignature));
  if (!TIMESTAMP_PATTERN.test(until) || !isValid) throw notFound("Arquivo não encontrado");
  return Number(until) * 1000;
}

function signLink(sign: Sign, { saleId, lineId, correctedAt }: LinkTarget, until: string): string {
  const correctedSuffix = correctedAt ? `:${correctedAt.getTime()}` : "";
  return sign(`download:${saleId}:${lineId}:${until}${correctedSuffix}`);
}
