import { z } from "zod";
import { describeUntested, listTypedKeys } from "#app/domain/gateway/check-payment-keys.server.ts";
import { disputedAccess, gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { findNewKey } from "#app/domain/mail/resend/check-resend-key.server.ts";
import { savePaymentSettings, showPaymentSettings } from "#app/domain/refund/payment-settings.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { messageBody, versionField } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

/** By the field names of the account forms: switches, texts, and masks in place of secrets; and one for disputes and one for overpayments. */
const answer = z
  .object({
    disputed_access: disputedAccess.meta({
      description:
        "Acesso do comprador enquanto o pagamento é contestado (MED ou chargeback): continua ou fica suspenso",
    }),
    refund_overpayments: z.boolean().meta({
      description: "Se o segundo pagamento de um pedido já pago é devolvido automaticamente",
    }),
    ...versionField,
  })
  .catchall(z.union([z.string(), z.boolean()]));

/**
 * The gateway settings: keys are accepted and returned as masks. A POST may be partial, e.g. `{resend_api_key}`. Payment
 * keys require a recent sign-in and cannot be changed with an API key.
 */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "As conexões de pagamento, rastreamento e e-mail, com chaves mascaradas",
      needs: "read",
      answer,
      versioned: true,
      example: {},
    },
    async ({ seller }) => {
      const { settings, version } = await showPaymentSettings(seller.id);
      return { ...settings, version };
    },
  ),
  POST: method(
    {
      summary: "Muda as conexões; o que não é enviado fica como está",
      needs: "session",
      body: gatewaysForm,
      answer: messageBody.extend(versionField),
      versioned: true,
      rateLimited: "calls",
      details:
        "Uma chave de pagamento nova é conferida com o provedor antes de ser salva: a que ele recusa não é salva. Se ele não responde, ela é salva sem conferência. Uma chave vazia remove a salva, menos a do Resend, que se remove na tela de e-mail. Um utmfy_source_id vazio volta ao padrão, checkintelli.",
      example: { body: { utmfy_source_id: "minha-loja" } },
    },
    async ({ request, seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      const isChecked =
        listTypedKeys(fields).length > 0 || (await findNewKey(seller.id, fields.resend_api_key ?? ""));
      if (isChecked) await throttle("outside-call", request, seller.id);
      const origin = requestOrigin(request, seller);
      const { untested, version: saved } = await savePaymentSettings(seller.id, fields, origin, version);
      const message = `Configurações salvas com sucesso!${describeUntested(untested)}`;
      return { success: true, message, version: saved };
    },
  ),
});
