import { isCurrent } from "#app/db/ready.server.ts";
import { isLeaving } from "#app/platform/shutdown.server.ts";
import { endpoint, json } from "#app/web/api.server.ts";

/** Postgres answers and its migrations are current. */
export const { loader, action } = endpoint({
  GET: async () => {
    if (isLeaving()) return json({ status: "stopping" }, 503);
    const current = await isCurrent().catch(() => null);
    if (current === null) return json({ status: "database unavailable" }, 503);
    return current ? { status: "ready" } : json({ status: "migrations pending" }, 503);
  },
});
