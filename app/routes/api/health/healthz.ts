import { isLeaving } from "#app/platform/shutdown.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";

/** The process lives, and does not go soon. */
export const { loader, action } = endpoint({
  GET: async () => (isLeaving() ? json({ status: "stopping" }, 503) : { status: "ok" }),
});
