import type { AccessProof } from "#app/domain/access/refuse-old-link.server.ts";
import { KEY_PARAMETER } from "#app/kit/paths.ts";
import { currentBuyer } from "#app/server/session/portal-cookie.server.ts";
import { recallSales } from "#app/server/session/sales-cookie.server.ts";

/** A request's proofs of access to a purchase. */
export async function readProof(request: Request): Promise<AccessProof> {
  return {
    placedSaleIds: await recallSales(request),
    key: new URL(request.url).searchParams.get(KEY_PARAMETER) ?? "",
    findPortalEmail: async () => (await currentBuyer(request))?.email ?? null,
  };
}
