import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { type Proof, refuseOldLink } from "#app/domain/access/may-open.server.ts";
import { refuseEnded, refuseExpired } from "#app/domain/access/refuse-ended.ts";
import { isGivenUp, linksEndedAt } from "#app/domain/sale/emptied-why.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound } from "#app/kit/refusal.ts";
import { isUuid } from "#app/kit/uuid.ts";
import { isSameSecret, type Sign, sign, signers } from "#app/platform/secrets.server.ts";

/** How long a download link works; the purchase page makes a new one each time it is opened. */
const LINK_LIFETIME = 6 * HOUR;

/** Seconds since 1970, written in the one way we write them. */
const MOMENT = /^[1-9]\d{0,14}$/;

/** `correctedAt`: when the buyer's e-mail was corrected; links made before that are none of ours any more. */
type Of = { saleId: string; lineId: string; correctedAt: Date | null };

/** A link of ours to a bought file: signed, expiring, saying nothing about where the file is. */
export function downloadUrl(
  saleId: string,
  lineId: string,
  now = Date.now(),
  correctedAt: Date | null = null,
): string {
  const until = String(Math.floor((now + LINK_LIFETIME) / 1000));
  const of = { saleId, lineId, correctedAt };
  return `${paths.download(saleId, lineId)}?ate=${until}&assinatura=${signature(sign, of, until)}`;
}

/**
 * Where a download link leads: the permanent one to a signed one, that one to the file's address while the sale is paid.
 * @throws Refusal not-found for what was not bought, and for a link that was changed; forbidden where access ended, the link
 * did (`link_expired`), it went to an e-mail that was corrected (`email_corrected`), or its buyer had their data emptied
 * (`emptied`)
 */
export async function openDownload(
  saleId: string,
  lineId: string,
  query: URLSearchParams,
  proof: Proof,
): Promise<string> {
  if (!isUuid(saleId) || !isUuid(lineId)) throw notFound("Arquivo não encontrado");
  const [line] = await db
    .select({
      sale: {
        id: sales.id,
        status: sales.status,
        accessSuspendedAt: sales.accessSuspendedAt,
        parentSaleId: sales.parentSaleId,
        customerEmail: sales.customerEmail,
        emailCorrectedAt: linksEndedAt,
        isGivenUp,
      },
      url: sql<
        string | null
      >`coalesce(${products.fileUrl}, ${orderBumps.fileUrl}, ${upsellOffers.fileUrl}, ${saleLines.fileUrl})`,
    })
    .from(saleLines)
    .innerJoin(sales, eq(sales.id, saleLines.saleId))
    .leftJoin(products, eq(products.id, saleLines.productId))
    .leftJoin(orderBumps, eq(orderBumps.id, saleLines.orderBumpId))
    .leftJoin(upsellOffers, eq(upsellOffers.id, saleLines.upsellOfferId))
    .where(and(eq(saleLines.id, lineId), eq(saleLines.saleId, saleId)));
  if (!line) throw notFound("Arquivo não encontrado");
  const { sale, url } = line;
  const isPermanent = !query.has("ate") && !query.has("assinatura");
  const until = isPermanent ? null : readUntil({ saleId, lineId, correctedAt: sale.emailCorrectedAt }, query);
  if (until === null) await refuseOldLink(sale, proof);
  refuseEnded(sale);
  if (until !== null) refuseExpired(until);
  if (!url) throw notFound("Arquivo não encontrado");
  return until === null ? downloadUrl(saleId, lineId, Date.now(), sale.emailCorrectedAt) : url;
}

/** Until when a signed link works. @throws Refusal not-found where it is not ours */
function readUntil(of: Of, query: URLSearchParams): number {
  const until = query.get("ate") ?? "";
  const given = query.get("assinatura") ?? "";
  const isOurs = signers.some((each) => isSameSecret(signature(each, of, until), given));
  if (!MOMENT.test(until) || !isOurs) throw notFound("Arquivo não encontrado");
  return Number(until) * 1000;
}

function signature(sign: Sign, { saleId, lineId, correctedAt }: Of, until: string): string {
  const since = correctedAt ? `:${correctedAt.getTime()}` : "";
  return sign(`download:${saleId}:${lineId}:${until}${since}`);
}
