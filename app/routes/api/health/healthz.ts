import { endpoint } from "#app/web/api.server.ts";

/** The process lives. */
export const { loader, action } = endpoint({ GET: async () => ({ status: "ok" }) });
