import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import type { Customization } from "#app/domain/storefront/customizations.server.ts";
import { readSettings } from "#app/domain/storefront/read-settings.server.ts";
import { readJson } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

type Args = LoaderFunctionArgs | ActionFunctionArgs;

const body = z.looseObject(
  { version: z.int({ error: "A versão deve ser um número inteiro" }).optional() },
  { error: "As configurações devem ser um objeto" },
);

/**
 * What the endpoint of a customisation answers with: the signed-in seller's settings over the defaults. POST replaces what
 * is sent and keeps the rest; with the `version` that GET told it is refused (409) where somebody saved in between.
 * `removed` tells, by field, what was not kept.
 */
export function settingsApi<T extends object>(of: Customization<T>) {
  return {
    GET: async ({ request }: Args) => {
      const seller = await requireApiSeller(request, "read");
      const { settings, version } = await of.find(seller.id);
      return { ...settings, version };
    },
    POST: async ({ request }: Args) => {
      const seller = await requireApiSeller(request, "settings");
      const { version, ...given } = await readJson(request, body, SELLERS_BODY);
      const saved = await of.save(seller.id, {
        version,
        to: (current) => readSettings(of.schema, current as Record<string, unknown>, given),
      });
      return { ...saved.settings, version: saved.version, removed: saved.removed };
    },
  };
}
