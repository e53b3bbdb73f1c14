import { z } from "zod";
import {
  type DisputedAccess,
  disputedAccess,
  gatewaysForm,
} from "#app/domain/gateway/gateways-form.server.ts";
import { gatewaysVersion, saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { showGateways } from "#app/domain/gateway/show-gateways.server.ts";
import { chooseDisputedAccess, findDisputedAccess } from "#app/domain/sale/dispute/choose-access.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { said } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** By the fields of the accounts' forms: switches, texts, and masks in place of secrets; and one for disputes. */
const answer = z
  .object({
    disputed_access: disputedAccess.meta({
      description: "Acesso do comprador enquanto o pagamento é contestado (MED): continua ou fica suspenso",
    }),
  })
  .catchall(z.union([z.string(), z.boolean()]));

/**
 * The gateway settings: keys go in and come back as masks. A POST may bring a part, e.g. `{resend_api_key}`. Keys
 * of payments change by a session that signed in a moment ago, never by an API key.
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
      const [shown, { suspends }] = await Promise.all([
        showGateways(seller.id),
        findDisputedAccess(seller.id),
      ]);
      const access: DisputedAccess = suspends ? "suspend" : "keep";
      return { ...shown, disputed_access: access, version: gatewaysVersion(shown) };
    },
  ),
  POST: method(
    {
      summary: "Muda as conexões; o que não é enviado fica como está",
      needs: "session",
      body: gatewaysForm,
      answer: said,
      versioned: true,
      example: { body: { utmfy_source_id: "minha-loja" } },
    },
    async ({ request, seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      await saveGateways(seller.id, fields, originOf(request), version);
      const { disputed_access } = fields;
      if (disputed_access) await chooseDisputedAccess(seller.id, disputed_access === "suspend");
      return { success: true, message: "Configurações salvas com sucesso!" };
    },
  ),
});
