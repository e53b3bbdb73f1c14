import { and, eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleLines, sales } from "#app/db/schema/sales.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
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
 * The file's address behind a download link, while the sale is paid.
 * @throws Refusal forbidden where the link expired or was changed; not-found for anything that is not a paid purchase
 */
export async function openDownload(saleId: string, lineId: string, query: URLSearchParams): Promise<string> {
  const until = query.get("ate") ?? "";
  if (!isUuid(saleId) || !isUuid(lineId)) throw notFound("Arquivo não encontrado");
  const [line] = await db
    .select({
      correctedAt: sales.emailCorrectedAt,
      isPaid: sql<boolean>`${sales.status} = 'completed'`,
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
  const given = query.get("assinatura") ?? "";
  const isOurs = signers.some((each) =>
    isSameSecret(signature(each, { saleId, lineId, correctedAt: line.correctedAt }, until), given),
  );
  if (!MOMENT.test(until) || !isOurs) throw notFound("Arquivo não encontrado");
  if (Number(until) * 1000 < Date.now()) {
    throw new Refusal("forbidden", "Este link expirou. Abra a página da sua compra para receber um novo.");
  }
  if (!line.isPaid || !line.url) throw notFound("Arquivo não encontrado");
  return line.url;
}

function signature(sign: Sign, { saleId, lineId, correctedAt }: Of, until: string): string {
  const since = correctedAt ? `:${correctedAt.getTime()}` : "";
  return sign(`download:${saleId}:${lineId}:${until}${since}`);
}
