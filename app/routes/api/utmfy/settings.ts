import { z } from "zod";
import { showConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { connectionVersion, saveConnection } from "#app/domain/delivery/utmify/save-tracking.server.ts";
import { connectionBody } from "#app/domain/delivery/utmify/tracking-form.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { successBody, versionField } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

const answer = z.object({
  api_token: z.string(),
  api_url: z.string(),
  source_id: z.string(),
  is_enabled: z.boolean(),
  version: z.string(),
});

/** The connection to UTMify; the token is accepted and returned as a mask. */
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
      const connection = await showConnection(seller.id);
      const { token, apiUrl, sourceId, enabled } = connection;
      return {
        api_token: token,
        api_url: apiUrl,
        source_id: sourceId,
        is_enabled: enabled,
        version: connectionVersion(connection),
      };
    },
  ),
  POST: method(
    {
      summary: "Muda a conexão com a UTMify; o que não é enviado fica como está",
      details: "O vendedor é avisado por e-mail onde o endereço ou o token é outro.",
      needs: "webhooks",
      recentSignIn: true,
      body: connectionBody,
      answer: successBody.extend(versionField),
      versioned: true,
      example: { body: { api_token: "token-da-utmify", source_id: "minha-loja", is_enabled: true } },
    },
    async ({ request, seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      const origin = requestOrigin(request, seller);
      return { success: true, version: await saveConnection(seller.id, fields, origin, version) };
    },
  ),
});
