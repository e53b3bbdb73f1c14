import { z } from "zod";
import { connectionBody } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { type ConnectableAccount, connectableAccounts } from "#app/domain/gateway/gateway-accounts.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

/** Undefined changes nothing. The accounts' fields are named by their forms. */
export type GatewaysForm = {
  [field: string]: string | boolean | undefined;
  /** The provider that codes are requested from first. */
  first_provider?: string | undefined;
  utmfy_enabled?: boolean | undefined;
  utmfy_api_token?: string | undefined;
  utmfy_source_id?: string | undefined;
  resend_api_key?: string | undefined;
  disputed_access?: DisputedAccess | undefined;
  refund_overpayments?: boolean | undefined;
};

/** What happens to a buyer's access while their payment is disputed. */
export const disputedAccess = z.enum(["keep", "suspend"]);
export type DisputedAccess = z.infer<typeof disputedAccess>;

/** A key. The displayed mask leaves the saved one, an empty text removes it, a missing one changes nothing. */
const key = z
  .string({ error: "Envie um texto" })
  .max(500, "Chave longa demais (até 500 caracteres)")
  .nullish()
  .transform((value) => (value == null ? undefined : cleanPasted(value)));
const toggle = z
  .boolean({ error: "Envie true ou false" })
  .nullish()
  .transform((value) => value ?? undefined);

/** The gateway object of the API, whole or in part: missing fields change nothing. */
export function gatewaysForm(): z.ZodType<GatewaysForm> {
  return z.object({
    ...fieldsOf(connectableAccounts(), toggle, key),
    first_provider: firstProvider().meta({
      description:
        "O provedor ao qual o PIX é pedido primeiro; a conta dele precisa estar ligada e ter chave. Os outros ligados ficam de reserva",
    }),
    utmfy_enabled: toggle,
    utmfy_api_token: key,
    utmfy_source_id: connectionBody.shape.source_id,
    resend_api_key: key,
    disputed_access: z
      .enum(disputedAccess.options, { error: "Envie keep ou suspend" })
      .nullish()
      .transform((value) => value ?? undefined)
      .meta({
        description:
          "Acesso do comprador enquanto o pagamento é contestado (MED ou chargeback): keep: continua até a decisão; suspend: fica suspenso. Vale também para as contestações abertas",
      }),
    refund_overpayments: toggle.meta({
      description:
        "Devolver automaticamente o segundo pagamento de um pedido já pago. Se a causa foi a troca de provedor, ele é devolvido sempre",
    }),
  });
}

/** Empty as a missing one, since the API returns it so where there is no first provider. */
function firstProvider() {
  return z
    .enum(["", ...Object.keys(providers)], { error: "Envie o nome de um provedor que recebe pagamentos" })
    .nullish()
    .transform((value) => value || undefined);
}

const checkbox = z.boolean().default(false);
const clearableKey = z
  .string()
  .max(500, "Chave longa demais (até 500 caracteres)")
  .optional()
  .transform((value) => cleanPasted(value ?? ""));

/** The page's cards: a missing checkbox means off, and an empty field removes the key. */
export function gatewaysPageForm(): z.ZodType<GatewaysForm> {
  return z.object({
    ...fieldsOf(connectableAccounts(), checkbox, clearableKey),
    first_provider: firstProvider(),
    utmfy_enabled: checkbox,
  });
}

function fieldsOf(accounts: ConnectableAccount[], toggleField: z.ZodType, text: z.ZodType) {
  return Object.fromEntries(
    accounts.flatMap((account) => [
      [account.toggle.field, toggleField],
      ...(account.cardToggle ? [[account.cardToggle.field, toggleField]] : []),
      ...account.keys.map(({ field }) => [field, text]),
    ]),
  ) as Record<string, z.ZodType<string | boolean | undefined>>;
}
