import type { Campaign } from "#app/db/schema/lists.ts";
import type { BumpForSale, ProductForSale } from "#app/domain/catalog/find-for-sale.server.ts";
import type { BuyerContext, Customer, Order } from "#app/domain/order/order.ts";
import { cleanDocument } from "#app/kit/documents.ts";
import { hashToken, type Sign, signaturesOf, signers } from "#app/platform/secrets.server.ts";

type Ordered = {
  customer: Customer;
  /** `product:<id>`, and the offer and quantity where there are any. */
  item: string;
  bumpIds: number[];
};

/**
 * Two orders with the same fingerprint have the same buyer (e-mail and document, else phone), product and bumps. It
 * is a keyed hash without plain data, and no proof of identity: anyone can order the same. One per known secret: the
 * first is stored, and orders are searched by all of them.
 */
export function orderFingerprints(ordered: Ordered): string[] {
  return signers.map((sign) => orderFingerprint(ordered, sign));
}

function orderFingerprint({ customer, item, bumpIds }: Ordered, sign: Sign): string {
  const email = customer.email?.toLowerCase() ?? "";
  const document = cleanDocument(customer.document ?? "");
  const fallback = email || document ? [] : [customer.phone ?? ""];
  const bumps = [...bumpIds].sort((a, b) => a - b);
  return sign(JSON.stringify(["order", email, document, item, bumps, ...fallback]));
}

/**
 * Two orders with the same fingerprint are one submission: same browser, same fields. A keyed hash. A browser without
 * an id is identified by client and User-Agent. Empty where, in addition, no buyer data was given: identical phones
 * behind one address would share an order.
 */
export function submissionFingerprints(
  order: Ordered & { campaign: Campaign },
  { client, userAgent, browserId }: Pick<BuyerContext, "client" | "userAgent" | "browserId">,
): string[] {
  const { name, email, phone, document } = order.customer;
  if (!browserId && !email && !phone && !document) return [];
  const campaign = Object.entries(order.campaign).sort();
  const browserParts = browserId ? ["own name", browserId] : [client, userAgent];
  return signers.map((sign) =>
    sign(JSON.stringify(["press", ...browserParts, orderFingerprint(order, sign), name, phone, campaign])),
  );
}

/** The client by which orders are counted, as a keyed hash, so that its address is not stored again. */
export function clientKeys(client: string): string[] {
  return signaturesOf(`client:${client}`);
}

/**
 * The fingerprints by which a sale is found and counted, one per known secret: the first of each is stored with it
 * (`orderKey`, `submissionKey`, `clientKey`).
 */
export type SaleFingerprints = {
  sellerId: string;
  order: string[];
  submission: string[];
  /** Whether `submission` contains the browser's own id. */
  hasBrowserId: boolean;
  client: string[];
};

/** The fingerprints of an order. */
export function fingerprintsOf(
  order: Order,
  product: Pick<ProductForSale, "id" | "sellerId"> & { offer: { id: string } | null },
  bumps: Pick<BumpForSale, "id">[],
): SaleFingerprints {
  const { id, offer, sellerId } = product;
  const { buyerContext, quantity } = order;
  const item = `product:${id}${offer ? `:${offer.id}:${quantity}` : ""}`;
  const ordered = { ...order, item, bumpIds: bumps.map((bump) => bump.id) };
  return {
    sellerId,
    order: orderFingerprints(ordered),
    submission: submissionFingerprints(ordered, buyerContext),
    hasBrowserId: Boolean(buyerContext.browserId),
    client: clientKeys(buyerContext.client),
  };
}

/**
 * The mutex keys of an order: its client, and its browser where that has an id. Not keyed by APP_SECRET, so that they
 * are equal in every process while the secret is being changed.
 */
export function orderMutexKeys({
  client,
  browserId,
}: Pick<BuyerContext, "client" | "browserId">): [string, ...string[]] {
  return [hashToken(`client:${client}`), ...(browserId ? [hashToken(`own name:${browserId}`)] : [])];
}
