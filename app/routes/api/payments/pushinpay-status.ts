import { z } from "zod";
import { checkPix } from "#app/domain/settlement/check-pix.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { moment, paymentStatus } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const answer = z.object({
  success: z.boolean().meta({ description: "false: o provedor foi consultado e não respondeu" }),
  ...paymentStatus,
  sale_id: z.uuid(),
  next_look_at: moment.nullable().meta({ description: "Quando o provedor pode ser consultado de novo" }),
});
const query = z.object({
  ask: z
    .literal("1")
    .optional()
    .meta({ description: "Consulta antes o provedor, no máximo uma vez por minuto" }),
});

/** A payment's status. With `?ask=1` (the buyer says that they paid) the provider is checked first, if its gate allows. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Como está um pagamento",
      query,
      answer,
      example: { params: { paymentId: "$PAYMENT" } },
    },
    async ({ request, params }) => {
      const asksProvider = new URL(request.url).searchParams.get("ask") === "1";
      const { status, paymentSummary, saleId, isUncertain, nextCheckAt } = await checkPix(
        params.paymentId ?? "",
        {
          asksProvider,
        },
      );
      return {
        success: !isUncertain,
        status,
        sale_id: saleId,
        standing: paymentSummary,
        next_look_at: nextCheckAt?.toISOString() ?? null,
      };
    },
  ),
});
