import { couponBody } from "#app/domain/coupon/coupon-form.server.ts";
import { toCouponJson } from "#app/domain/coupon/coupon-json.server.ts";
import { deleteCoupon } from "#app/domain/coupon/delete-coupon.server.ts";
import { findCoupon } from "#app/domain/coupon/find-coupon.server.ts";
import { updateCoupon } from "#app/domain/coupon/save-coupon.server.ts";
import { couponAnswer } from "#app/routes/api/coupons/answers.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const params = { couponId: "$COUPON" };

/** One coupon. PUT replaces its fields; `is_active` is unchanged if left out. */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "Um cupom", needs: "read", answer: couponAnswer, versioned: true, example: { params } },
    async ({ seller, params }) => toCouponJson(await findCoupon(seller.id, params.couponId!)),
  ),
  PUT: method(
    {
      summary: "Substitui os dados de um cupom; os usos ficam",
      details:
        "is_active fica como está quando não é enviado; os outros campos que faltam ficam sem valor. Pedidos já feitos mantêm o desconto.",
      needs: "settings",
      body: couponBody,
      answer: couponAnswer,
      versioned: true,
      example: { params, body: { code: "VOLTA10", amount: 10, max_uses_per_buyer: 1, minimum: 50 } },
    },
    async ({ seller, params, readVersioned }) => {
      // Another seller's coupon is a 404, whatever the body contains.
      const { id } = await findCoupon(seller.id, params.couponId!);
      const { fields, version } = await readVersioned();
      await updateCoupon(seller.id, id, fields, version);
      return toCouponJson(await findCoupon(seller.id, id));
    },
  ),
  DELETE: method(
    {
      summary: "Apaga um cupom; as vendas feitas com ele ficam",
      needs: "settings",
      answer: successBody,
      conditional: true,
      example: { params },
    },
    async ({ seller, params, ifMatch }) => {
      await deleteCoupon(seller.id, params.couponId!, ifMatch);
      return { success: true };
    },
  ),
});
