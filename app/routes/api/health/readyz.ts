import { z } from "zod";
import { isMigrated } from "#app/db/ready.server.ts";
import { isDraining } from "#app/platform/shutdown.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

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
      if (isDraining()) return json({ status: "stopping" }, 503);
      const current = await isMigrated().catch(() => null);
      if (current === null) return json({ status: "database unavailable" }, 503);
      return current ? { status: "ready" } : json({ status: "migrations pending" }, 503);
    },
  ),
});
