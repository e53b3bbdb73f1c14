import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges, gatewayAccounts, gatewayKeys } from "#app/db/schema/payments.server.ts";
import { orderBumps, products, upsellOffers } from "#app/db/schema/products.server.ts";
import { saleEvents, saleLines, sales } from "#app/db/schema/sales.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { markSalePaid } from "#app/domain/sale/mark-sale-paid.server.ts";
import { noteSale } from "#app/domain/sale/note-sale.server.ts";
import { saleContacts } from "#app/domain/sale/read-sale-contacts.server.ts";
import { SALE_MOVE_FACT } from "#app/domain/sale/states.ts";
import { randomToken, seal } from "#app/platform/secrets.server.ts";
import { signInCookie } from "#app/web/session/session.server.ts";

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

export async function makeOffer(
  product: { id: number },
  fields: Partial<typeof upsellOffers.$inferInsert> = {},
): Promise<typeof upsellOffers.$inferSelect> {
  const [row] = await db
    .insert(upsellOffers)
    .values({ ...ofProduct(product), name: "Mentoria em grupo", priceCents: 19700, ...fields })
    .returning();
  return row!;
}

/** The seller's account at PushinPay, as the sandbox takes it; `apiKey: null` leaves it without. */
export async function makeGateway(
  seller: { id: string },
  {
    apiKey = "1|sandbox-demo",
    ...fields
  }: Partial<typeof gatewayAccounts.$inferInsert> & { apiKey?: string | null } = {},
): Promise<typeof gatewayAccounts.$inferSelect> {
  const provider = fields.provider ?? "pushinpay";
  const [key] = apiKey
    ? await db
        .insert(gatewayKeys)
        .values({ sellerId: seller.id, provider, apiKeySealed: seal(apiKey) })
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

/** With an e-mail, unless a test takes it away. */
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
      name: product.name,
      priceCents: product.priceCents,
      fileUrl: product.fileUrl,
    });
    await noteSale(tx, sale!.id, { kind: "placed", data: { via: "checkout" } }, "buyer");
    if (sale!.status !== "pending")
      await tx.insert(saleEvents).values({
        ...{ saleId: sale!.id, sellerId: sale!.sellerId },
        ...{ kind: SALE_MOVE_FACT[sale!.status], cause: "system" },
      });
    return sale as MadeSale;
  });
}

/** What a sale in a state has besides. */
function momentsOf(status: (typeof sales.$inferInsert)["status"]) {
  if (status !== "completed" && status !== "disputed" && status !== "refunded" && status !== "chargedback")
    return {};
  return { completedAt: new Date(), ...(status === "refunded" ? { refundedAt: new Date() } : {}) };
}

/** A PIX for a sale, payable unless `fields` say otherwise; the provider knows nothing of it. */
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
    await markSalePaid(tx, sale!, { at: new Date(), feeCents: null });
  });
}
