import { randomUUID } from "node:crypto";
import { db } from "#app/db/client.server.ts";
import { moveSale } from "#app/domain/sale/move-sale.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import type { MemberKind } from "#tests/support/rows/destinations.ts";
import { makeMemberArea } from "#tests/support/rows/make-destination.ts";

export const KINDS = ["cademi", "memberkit"] as const;
export const mailbox = () => `ana-${randomUUID()}@exemplo.com.br`;
export const buyer = (email: string) => ({
  customer: { name: "Ana Souza", email, phone: "+5511987654321", document: "52998224725" },
});

/** A shop with a member area: the product leads to the classes 101 and 103, its bump to 102 and 103. */
export async function openSchool(kind: MemberKind, fields: Parameters<typeof makeMemberArea>[2] = {}) {
  const shop = await openShop();
  const { product, bump } = shop;
  const classes = [
    { item: String(product.id), ids: [101, 103] },
    { item: `bump-${bump.id}`, ids: [102, 103] },
  ];
  const area = await makeMemberArea(shop.seller, kind, {
    ...(kind === "memberkit" ? { classes, productIds: [product.id] } : {}),
    ...fields,
  });
  return { ...shop, area, codes: { product: String(product.id), bump: `bump-${bump.id}` } };
}

export async function giveBack(saleId: string, to: "refunded" | "chargedback" = "refunded") {
  const [sale] = await sql`select seller_id from sales where id = ${saleId}`;
  await db.transaction((tx) =>
    moveSale(
      tx,
      { id: saleId, sellerId: sale!.seller_id, status: "completed" },
      to === "refunded" ? { to, refundedCents: 9700 } : { to, disputeId: randomUUID() },
      "seller",
    ),
  );
}

/** Purchases at `app`, and what they opened in its sandbox. */
export function buyersOf(app: App) {
  const order = (
    { product, bump }: Awaited<ReturnType<typeof openSchool>>,
    { email, withBump = false }: { email: string; withBump?: boolean },
  ) => buy(product.id, { ...buyer(email), bumpIds: withBump ? [bump.id] : [] });

  async function buyIn(...ordered: Parameters<typeof order>) {
    const bought = await order(...ordered);
    await pay(app, bought);
    return bought;
  }

  /** A purchase that was paid, in a school of its own. */
  async function sold(kind: MemberKind, { email = mailbox(), withBump = false, fields = {} } = {}) {
    const school = await openSchool(kind, fields);
    const bought = await buyIn(school, { email, withBump });
    return { ...school, ...bought, email };
  }

  /** What an e-mail has open at the moment, by product or class. */
  async function openTo(email: string): Promise<string[]> {
    const all = await app.sandbox.memberships(email);
    return all
      .filter(({ isOpen }) => isOpen)
      .map(({ item }) => item)
      .sort();
  }

  return { order, buyIn, sold, openTo };
}
