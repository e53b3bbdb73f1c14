import { z } from "zod";
import { isCurrent } from "#app/db/ready.server.ts";
import { isLeaving } from "#app/platform/shutdown.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** Postgres answers and its migrations are current. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O banco de dados responde e as suas migrações estão em dia",
      details: "Enquanto não, responde 503, e status diz por quê.",
      answer: z.object({
        status: z.enum(["ready", "stopping", "database unavailable", "migrations pending"]),
      }),
      example: {},
    },
    async () => {
      if (isLeaving()) return json({ status: "stopping" }, 503);
      const current = await isCurrent().catch(() => null);
      if (current === null) return json({ status: "database unavailable" }, 503);
      return current ? { status: "ready" } : json({ status: "migrations pending" }, 503);
    },
  ),
});
