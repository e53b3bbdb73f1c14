import { z } from "zod";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { readSettings } from "#app/domain/storefront/read-settings.server.ts";
import { settingsFields } from "#app/web/customization/fields.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import type { Says } from "#app/web/openapi/says.ts";

const body = z.looseObject(
  { version: z.int({ error: "A versão deve ser um número inteiro" }).optional() },
  { error: "As configurações devem ser um objeto" },
);
const removed = z.record(z.string(), z.array(z.object({ what: z.string(), why: z.string() })));

/**
 * What the endpoint of a customisation answers with: the signed-in seller's settings over the defaults. POST replaces what
 * is sent and keeps the rest; with the `version` that GET told it is refused (409) where somebody saved in between.
 * `removed` tells, by field, what was not kept.
 */
export function settingsApi<T extends object>(
  of: Customization<T>,
  told: { page: string; defaults: T; example: NonNullable<Says["example"]> },
) {
  const fields = settingsFields(told.defaults);
  const answer = fields.extend({ version: z.int() });
  return {
    GET: method(
      { summary: `As configurações da página ${told.page}`, needs: "read", answer, example: {} },
      async ({ seller }) => {
        const { settings, version } = await of.find(seller.id);
        return { ...settings, version };
      },
    ),
    POST: method(
      {
        summary: `Muda a página ${told.page}; o que não é enviado fica como está`,
        details:
          "Com a version que o GET informou, a mudança é recusada (409) se alguém salvou no meio. Em removed está o que não pôde ficar, e por quê.",
        needs: "settings",
        body,
        bodyFields: fields.partial().extend(body.shape),
        max: SELLERS_BODY,
        answer: answer.extend({ removed }),
        example: told.example,
      },
      async ({ seller, read }) => {
        const { version, ...given } = await read();
        const saved = await of.save(seller.id, {
          version,
          to: (current) => readSettings(of.schema, current as Record<string, unknown>, given),
        });
        return { ...saved.settings, version: saved.version, removed: saved.removed };
      },
    ),
  };
}
