import { z } from "zod";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { readSettings } from "#app/domain/storefront/read-settings.server.ts";
import { pick } from "#app/kit/pick.ts";
import { settingsFields } from "#app/server/customization/settings-fields.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import type { MethodSpec } from "#app/server/openapi/method-spec.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";

const body = z.looseObject(
  { version: z.int({ error: "A versão deve ser um número inteiro" }).nullish() },
  { error: "As configurações devem ser um objeto" },
);
const removed = z.record(z.string(), z.array(z.object({ what: z.string(), why: z.string() })));

/**
 * The endpoint of a customization: the signed-in seller's settings over the defaults. POST replaces the given fields
 * and leaves the rest unchanged, and what is null; with the `version` from GET it is refused (409) if somebody saved in
 * between. `removed` lists, by field, what was not stored.
 */
export function settingsEndpoint<T extends object>(
  customization: Customization<T>,
  options: { page: string; defaults: T; example: NonNullable<MethodSpec["example"]> },
) {
  const fields = settingsFields(options.defaults);
  const answer = fields.extend({ version: z.int() });
  return {
    GET: method(
      { summary: `As configurações da página ${options.page}`, needs: "read", answer, example: {} },
      async ({ seller }) => {
        const { settings, version } = await customization.find(seller.id);
        return { ...settings, version };
      },
    ),
    POST: method(
      {
        summary: `Muda a página ${options.page}; o que não é enviado fica como está`,
        details:
          "Com a version que o GET informou, a mudança é recusada (409) se alguém salvou no meio. Um campo null fica como está; um texto vazio apaga o anterior. Em removed está o que não pôde ficar, e por quê.",
        needs: "settings",
        body,
        bodyFields: fields.partial().extend(body.shape),
        max: MAX_SELLER_BODY,
        answer: answer.extend({ removed }),
        example: options.example,
      },
      async ({ seller, read }) => {
        const { version, ...sent } = await read();
        const given = withoutUnset(sent, options.defaults);
        const saved = await customization.save(seller.id, {
          version: version ?? undefined,
          update: (current) => readSettings(customization.schema, current as Record<string, unknown>, given),
        });
        return { ...saved.settings, version: saved.version, removed: saved.removed };
      },
    ),
  };
}

/** Without what a client does not set. The fields' readers take an empty flag for a form's unticked box, which is off. */
function withoutUnset(sent: Record<string, unknown>, defaults: object): Record<string, unknown> {
  const isFlag = (name: string) => typeof pick(defaults, name) === "boolean";
  const isUnset = (name: string, value: unknown) =>
    value === null || (isFlag(name) && typeof value === "string" && value.trim() === "");
  return Object.fromEntries(Object.entries(sent).filter(([name, value]) => !isUnset(name, value)));
}
