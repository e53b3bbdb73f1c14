import { ensureHook } from "#app/domain/mail/resend/ensure-hook.server.ts";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { makeThings } from "#tests/integration/isolation-table.ts";
import { sql } from "#tests/support/database.ts";
import { makeCardGateway, makeCharge, makeSale, signedIn } from "#tests/support/make.ts";

/** `leaving` is a separate session, for requests that end it. `otherSaleIds`: of sales whose pages have other forms. */
export type Shop = {
  cookie: string;
  leaving: string;
  params: Record<string, string>;
  otherSaleIds: string[];
};

/** A seller with one of everything, who is signed in and sees a buyer's purchases, and the values for the addresses. */
export async function openOddShop(): Promise<Shop> {
  const things = await makeThings("Ana");
  const { seller, product, sale, charge } = things;
  await sql`update products set checkout_slug = 'violao' where id = ${product.id}`;
  // A provider that refunds a part, too, and takes cards.
  await makeCardGateway(seller, { enabledAt: new Date() });
  await sql`update charges set provider = 'mercadopago' where id = ${charge.id}`;
  const questioned = await makeSale(product, { status: "completed" });
  await makeCharge(questioned, { status: "paid" });
  await sql`insert into refund_requests (sale_id, seller_id, kind, reason)
    values (${questioned.id}, ${seller.id}, 'question', 'Não abre')`;
  const unpaid = await makeSale(product, { paymentMethod: "card" });
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${sale.id}`;
  const hookToken = await sql<{ hookToken: string }[]>`select hook_token as "hookToken" from gateway_accounts
    where seller_id = ${seller.id} and provider = 'pushinpay'`;
  await ensureHook(seller.id);
  const params = {
    ...{ productId: String(product.id), slug: "violao", saleId: sale.id, lineId: line!.id },
    ...{ couponId: things.coupon.id, offerId: things.offer.id, paymentId: charge.id },
    ...{ provider: "pushinpay", hookToken: hookToken[0]!.hookToken, token: "x", signature: "x" },
    ...{ webhookId: things.webhookId, pixelId: things.pixelId, areaId: things.areaId, newsId: things.newsId },
    ...{ itemId: things.itemId, uploadId: things.fileId, pictureId: things.pictureId },
  };
  const [cookie, leaving] = [(await signedIn(seller)).Cookie, (await signedIn(seller)).Cookie];
  const buyer = (await inPortal(sale.customerEmail)).Cookie;
  return {
    ...{ cookie: `${cookie}; ${buyer}`, leaving, params },
    otherSaleIds: [questioned.id, unpaid.id],
  };
}
