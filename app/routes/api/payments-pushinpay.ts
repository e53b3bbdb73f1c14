import { z } from "zod";
import { findCheckoutTerms } from "#app/domain/payments/pay-terms.server.ts";
import { showPix } from "#app/domain/payments/show-pix.server.ts";
import { startPix } from "#app/domain/payments/start-pix.server.ts";
import { readCampaign, readOrder } from "#app/domain/sales/order-form.server.ts";
import { placeSale } from "#app/domain/sales/place-sale.server.ts";
import { drawQr } from "#app/domain/sales/qr-picture.server.ts";
import { notFound, Refusal } from "#app/kit/refusal.ts";
import { endpoint, json, readJson } from "#app/web/api.server.ts";
import { clientIp } from "#app/web/client.server.ts";
import { placerOf } from "#app/web/placer.server.ts";
import { STRANGERS_BODY } from "#app/web/read-bytes.server.ts";
import { rememberSale } from "#app/web/sales-cookie.server.ts";

const text = z
  .string()
  .max(1000)
  .nullish()
  .transform((value) => value ?? "");

/**
 * The spec's payload, and campaign parameters beside it. The e-mail confirmation is the page's business: a program has
 * nothing to mistype.
 */
const payload = z.looseObject({
  product_id: z.coerce.number({ error: "product_id é obrigatório" }).int().positive(),
  customer_name: text,
  customer_email: text,
  customer_phone: text,
  customer_document: text,
  payment_method: z.literal("pix", { error: "Só o pagamento por PIX está disponível" }).default("pix"),
  order_bumps: z
    .array(z.union([z.string(), z.number()]))
    .max(50)
    .default([]),
});

/** Creates a sale and its PIX: `{payment_id, sale_id, pix_key, qr_code}`; `qr_code` is a PNG as data URL. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    const body = await readJson(request, payload, STRANGERS_BODY);
    const checkout = await findCheckoutTerms({ id: body.product_id });
    if (!checkout)
      throw notFound("O produto que você está procurando não existe ou não está mais disponível.");
    const { product, settings } = checkout;
    const read = readOrder(
      { ...body, customer_email_confirmation: "", order_bumps: body.order_bumps.map(String) },
      {
        name: settings.require_name,
        email: settings.require_email,
        emailConfirmation: false,
        phone: settings.require_phone,
        document: settings.require_document,
      },
    );
    if (!read.ok) {
      const [field] = Object.keys(read.errors);
      throw new Refusal("invalid", Object.values(read.errors).join("\n"), field);
    }
    const campaign = readCampaign(
      Object.entries(body).filter((e): e is [string, string] => typeof e[1] === "string"),
    );
    const order = {
      productId: product.id,
      bumpIds: read.bumpIds,
      customer: read.customer,
      ip: clientIp(request),
      campaign,
      placer: await placerOf(request),
    };
    const { saleId } = await placeSale(order);
    const { chargeId } = await startPix(saleId);
    const pixKey = (await showPix(saleId))?.charge?.pixCode ?? "";
    const payment = {
      payment_id: chargeId,
      sale_id: saleId,
      pix_key: pixKey,
      qr_code: `data:image/png;base64,${drawQr(pixKey).toString("base64")}`,
    };
    return json(payment, 200, { "Set-Cookie": await rememberSale(request, saleId) });
  },
});
