import { z } from "zod";
import { connectionVersion, saveConnection } from "#app/domain/outbox/utmify/save-connection.server.ts";
import { showConnection } from "#app/domain/outbox/utmify/show-connection.server.ts";
import { connectionForm } from "#app/domain/outbox/utmify/tracking-form.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { done } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

const answer = z.object({
  api_token: z.string(),
  api_url: z.string(),
  source_id: z.string(),
  is_enabled: z.boolean(),
  version: z.string(),
});

/** The connection to UTMify; the token goes in and comes back as a mask. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "A conexão com a UTMify, com o token mascarado",
      needs: "read",
      answer,
      versioned: true,
      example: {},
    },
    async ({ seller }) => {
      const shown = await showConnection(seller.id);
      const { token, apiUrl, sourceId, enabled } = shown;
      return {
        api_token: token,
        api_url: apiUrl,
        source_id: sourceId,
        is_enabled: enabled,
        version: connectionVersion(shown),
      };
    },
  ),
  POST: method(
    {
      summary: "Muda a conexão com a UTMify",
      details: "O vendedor é avisado por e-mail onde o endereço ou o token é outro.",
      needs: "webhooks",
      recent: true,
      body: connectionForm,
      answer: done,
      versioned: true,
      example: { body: { api_token: "token-da-utmify", source_id: "minha-loja", is_enabled: true } },
    },
    async ({ request, seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      await saveConnection(seller.id, fields, originOf(request), version);
      return { success: true };
    },
  ),
});
