import { z } from "zod";
import { isDraining } from "#app/platform/shutdown.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

/** The process runs and is not shutting down. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O processo vive",
      details: "Responde 503 com status stopping enquanto o processo se despede.",
      answer: z.object({ status: z.enum(["ok", "stopping"]) }),
      example: {},
    },
    async () => (isDraining() ? json({ status: "stopping" }, 503) : { status: "ok" }),
  ),
});
