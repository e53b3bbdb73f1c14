import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { coupons } from "#app/db/schema/coupons.server.ts";
import { offers } from "#app/db/schema/offers.server.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { orderBumps, products, upsells } from "#app/db/schema/products.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { buildPaymentMails, moveSale } from "#app/domain/sale/move-sale.server.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { recordSaleEvent } from "#app/domain/sale/record-sale-event.server.ts";
import { SALE_MOVE_EVENT } from "#app/domain/sale/states.ts";
import { DAY } from "#app/kit/duration.ts";
import { randomToken, seal } from "#app/platform/secrets.server.ts";
import { signInCookie } from "#app/server/session/session-cookie.server.ts";

export type Seller = typeof sellers.$inferSelect;
type Product = typeof products.$inferSelect;

/** Rows as a test needs them: every field has a plausible value, `fields` replaces some. */
export async function makeSeller(fields: Partial<typeof sellers.$inferInsert> = {}): Promise<Seller> {
  const [row] = await db
    .insert(sellers)
    .values({
      email: `vendedora-${randomUUID()}@exemplo.com.br`,
      emailVerifiedAt: new Date(),
      name: "Vera Vendedora",
      ...fields,
    })
    .returning();
  return row!;
}

/** @returns headers of a browser in which this seller is signed in */
export async function signedIn(seller: { id: string }): Promise<{ Cookie: string }> {
  const token = await openSession(seller.id, { ip: null, userAgent: "test" });
  return { Cookie: (await signInCookie(token)).split(";")[0]! };
}

export async function makeProduct(
  seller: { id: string },
  fields: Partial<typeof products.$inferInsert> = {},
): Promise<Product> {
  const [row] = await db
    .insert(products)
    .values({
      sellerId: seller.id,
      name: "Curso de Violão",
      description: "Do zero às primeiras músicas",
      priceCents: 9700,
      fileUrl: "https://arquivos.exemplo.com.br/curso.pdf",
      ...fields,
    })
    .returning();
  return row!;
}

function ofProduct({ id }: { id: number }) {
  return { productId: id, sellerId: sql`(select seller_id from products where id = ${id})` };
}

export async function makeBump(
  product: { id: number },
  fields: Partial<typeof orderBumps.$inferInsert> = {},
): Promise<typeof orderBumps.$inferSelect> {
  const [row] = await db
    .insert(orderBumps)
    .values({
      ...ofProduct(product),
      name: "Apostila de cifras",
      priceCents: 1990,
      fileUrl: "https://arquivos.exemplo.com.br/cifras.pdf",
      ...fields,
    })
    .returning();
  return row!;
}

export async function makeUpsell(
  product: { id: number },
  fields: Partial<typeof upsells.$inferInsert> = {},
): Promise<typeof upsells.$inferSelect> {
  const [row] = await db
    .insert(upsells)
    .values({ ...ofProduct(product), name: "Mentoria em grupo", priceCents: 19700, ...fields })
    .returning();
  return row!;
}

/** A coupon of 10 % for all products. */
export async function makeCoupon(
  seller: { id: string },
  fields: Partial<typeof coupons.$inferInsert> = {},
): Promise<typeof coupons.$inferSelect> {
  const percent = fields.amountCents ? null : 10;
  const [row] = await db
    .insert(coupons)
    .values({ sellerId: seller.id, code: "MENOS10", percent, ...fields })
    .returning();
  return row!;
}

/** An offer of a product, with an address of its own; R$ 47,00. */
export async function makeOffer(
  product: { id: number; sellerId: string },
  fields: Partial<typeof offers.$inferInsert> = {},
): Promise<typeof offers.$inferSelect & { slug: string }> {
  const [row] = await db
    .insert(offers)
    .values({
      sellerId: product.sellerId,
      productId: product.id,
      kind: "link",
      name: "Lançamento",
      priceCents: 4700,
      slug: `oferta-${randomUUID().slice(0, 8)}`,
      ...fields,
    })
    .returning();
  return row as typeof offers.$inferSelect & { slug: string };
}

/** The seller's account at PushinPay, as the sandbox accepts it; `apiKey: null` omits it. */
export async function makeGateway(
  seller: { id: string },
  {
    apiKey = "1|sandbox-demo",
    keyAcceptedAt = new Date(Date.now() - DAY),
    ...fields
  }: Partial<typeof gatewayAccounts.$inferInsert> & {
    apiKey?: string | null;
    keyAcceptedAt?: Date | null;
  } = {},
): Promise<typeof gatewayAccounts.$inferSelect> {
  const provider = fields.provider ?? "pushinpay";
  const [key] = apiKey
    ? await db
        .insert(gatewayKeys)
        .values({ sellerId: seller.id, provider, apiKeySealed: seal(apiKey), acceptedAt: keyAcceptedAt })
        .returning({ id: gatewayKeys.id })
    : [];
  const [row] = await db
    .insert(gatewayAccounts)
    .values({
      sellerId: seller.id,
      provider,
      enabledAt: new Date(),
      keyId: key?.id ?? null,
      hookToken: randomToken(),
      ...fields,
    })
    .returning();
  return row!;
}

/** An account that takes cards only, for sellers who take PIX through another one. */
export function makeCardGateway(seller: { id: string }, fields: Parameters<typeof makeGateway>[1] = {}) {
  return makeGateway(seller, {
    ...{ provider: "mercadopago", apiKey: `APP_USR-sandbox-${crypto.randomUUID()}`, enabledAt: null },
    ...{ cardsEnabledAt: new Date(), publicKeySealed: seal("APP_USR-publica"), ...fields },
  });
}

/** With an e-mail, unless a test removes it. */
type MadeSale = typeof sales.$inferSelect & { customerEmail: string };

/** A sale with one line, the product's, and the event it began with. */
export async function makeSale(
  product: { id: number; sellerId: string; name: string; priceCents: number; fileUrl: string | null },
  fields: Partial<typeof sales.$inferInsert> = {},
): Promise<MadeSale> {
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .insert(sales)
      .values({
        sellerId: product.sellerId,
        productId: product.id,
        amountCents: product.priceCents,
        customerName: "Beatriz Compradora",
        customerEmail: `beatriz-${randomUUID()}@exemplo.com.br`,
        orderKey: randomUUID(),
        ...momentsOf(fields.status),
        ...fields,
      })
      .returning();
    await tx.insert(saleLines).values({
      saleId: sale!.id,
      sellerId: sale!.sellerId,
      kind: "product",
      productId: product.id,
      itemId: product.id,
      name: product.name,
      priceCents: product.priceCents,
      fileUrl: product.fileUrl,
    });
    await recordSaleEvent(tx, sale!, { kind: "placed", data: { via: "checkout" } }, "buyer");
    if (sale!.status !== "pending")
      await tx.insert(saleEvents).values({
        ...{ saleId: sale!.id, sellerId: sale!.sellerId },
        ...{ kind: SALE_MOVE_EVENT[sale!.status], cause: "system" },
      });
    return sale as MadeSale;
  });
}

/** The other columns of a sale in a state. */
function momentsOf(status: (typeof sales.$inferInsert)["status"]) {
  if (status !== "completed" && status !== "disputed" && status !== "refunded" && status !== "chargedback")
    return {};
  return { completedAt: new Date(), ...(status === "refunded" ? { refundedAt: new Date() } : {}) };
}

/** A PIX for a sale, payable unless `fields` state otherwise; the provider does not know it. */
export async function makeCharge(
  sale: { id: string; amountCents: number },
  fields: Partial<typeof charges.$inferInsert> = {},
): Promise<typeof charges.$inferSelect> {
  const [row] = await db
    .insert(charges)
    .values({
      saleId: sale.id,
      sellerId: sql`(select seller_id from sales where id = ${sale.id})`,
      provider: "pushinpay",
      reference: randomToken(),
      providerId: randomUUID(),
      status: "open",
      amountCents: sale.amountCents,
      ...(fields.status === "paid" ? { paidAt: new Date(), paidCents: sale.amountCents } : {}),
      ...(fields.status === "failed" ? { failureKind: "refused" as const } : {}),
      ...fields,
    })
    .returning();
  return row!;
}

/** A payment of a sale as settling books it, without a charge. */
export function markPaid(saleId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const [sale] = await tx
      .select(saleContacts)
      .from(sales)
      .innerJoin(sellers, eq(sellers.id, sales.sellerId))
      .where(eq(sales.id, saleId))
      .for("no key update", { of: sales });
    const at = new Date();
    const mails = buildPaymentMails(sale!, at);
    await moveSale(tx, sale!, { to: "completed", at, feeCents: null }, "provider", mails);
  });
}
