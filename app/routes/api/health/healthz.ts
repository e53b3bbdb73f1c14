import { z } from "zod";
import { isLeaving } from "#app/platform/shutdown.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";
import { method } from "#app/web/openapi/method.server.ts";

/** The process lives, and does not go soon. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "O processo vive",
      details: "Responde 503 com status stopping enquanto o processo se despede.",
      answer: z.object({ status: z.enum(["ok", "stopping"]) }),
      example: {},
    },
    async () => (isLeaving() ? json({ status: "stopping" }, 503) : { status: "ok" }),
  ),
});
