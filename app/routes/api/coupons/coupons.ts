import { z } from "zod";
import { newCouponBody } from "#app/domain/coupon/coupon-form.server.ts";
import { toCouponJson } from "#app/domain/coupon/coupon-json.server.ts";
import { findCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { listCoupons } from "#app/domain/coupon/list-coupons.server.ts";
import { createCoupon } from "#app/domain/coupon/save-coupon.server.ts";
import { CURSORS, readCursors, writeCursor } from "#app/kit/paginate.ts";
import { couponAnswer } from "#app/routes/api/coupons/answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/server/api/paging.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** The seller's coupons, newest first, paginated. POST creates one. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os cupons, do mais novo ao mais antigo",
      needs: "read",
      query: pageQuery(CURSORS.timeAndId),
      answer: z.array(couponAnswer),
      paged: true,
      example: { query: { limit: "2" } },
    },
    async ({ request, seller }) => {
      const url = new URL(request.url);
      const page = await listCoupons(seller.id, {
        ...readCursors(url.searchParams),
        limit: readLimit(url),
      });
      return json(page.items.map(toCouponJson), 200, pageLinks(url, page, writeCursor));
    },
  ),
  POST: method(
    {
      summary: "Cria um cupom",
      details:
        "O desconto vai em percent ou em amount, um dos dois. O link do checkout com o cupom já aplicado leva ?cupom= e o código.",
      needs: "settings",
      body: newCouponBody,
      answer: couponAnswer,
      status: 201,
      example: {
        body: {
          code: "LANCAMENTO",
          percent: 20,
          product_ids: ["$PRODUCT"],
          ends_at: "2099-12-31T23:59:00-03:00",
          max_uses: 50,
        },
      },
    },
    async ({ seller, read }) => {
      const id = await createCoupon(seller.id, await read());
      return json(toCouponJson(await findCoupon(seller.id, id)), 201);
    },
  ),
});
