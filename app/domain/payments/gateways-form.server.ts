import { z } from "zod";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** A key; the mask that was shown keeps the saved one, an empty text removes it, a missing one changes nothing. */
const key = z
  .string({ error: "Envie um texto" })
  .max(500, "Chave longa demais (até 500 caracteres)")
  .nullish()
  .transform((value) => (value == null ? undefined : cleanPasted(value)));
const onOff = z
  .boolean({ error: "Envie true ou false" })
  .nullish()
  .transform((value) => value ?? undefined);

/** The gateway object as the API takes it, whole or in part: what is missing stays. */
export const gatewaysForm = z.object({
  pushinpay_enabled: onOff,
  pushinpay_api_key: key,
  pushinpay_webhook_secret: key,
  stripe_enabled: onOff,
  stripe_public_key: key,
  stripe_secret_key: key,
  mercadopago_enabled: onOff,
  mercadopago_public_key: key,
  mercadopago_access_token: key,
  utmfy_enabled: onOff,
  utmfy_api_token: key,
  utmfy_source_id: z
    .string()
    .max(60, "Até 60 caracteres")
    .nullish()
    .transform((value) => cleanLine(value ?? "").trim() || undefined),
  resend_api_key: key,
});
export type GatewaysForm = z.output<typeof gatewaysForm>;

const box = z.boolean().default(false);
const emptied = z
  .string()
  .max(500, "Chave longa demais (até 500 caracteres)")
  .optional()
  .transform((value) => cleanPasted(value ?? ""));

/** The page's cards: a missing checkbox is an off one, an emptied field comes as nothing and removes the key. */
export const gatewaysPageForm = z.object({
  pushinpay_enabled: box,
  pushinpay_api_key: emptied,
  pushinpay_webhook_secret: emptied,
  stripe_enabled: box,
  stripe_public_key: emptied,
  stripe_secret_key: emptied,
  utmfy_enabled: box,
});
