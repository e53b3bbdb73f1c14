import type { Proof } from "#app/domain/access/may-open.server.ts";
import { KEY } from "#app/kit/paths.ts";
import { currentBuyer } from "#app/web/session/buyer-cookie.server.ts";
import { recallSales } from "#app/web/session/sales-cookie.server.ts";

/** What a request shows of whose purchase it asks for. */
export async function proofOf(request: Request): Promise<Proof> {
  return {
    placed: await recallSales(request),
    key: new URL(request.url).searchParams.get(KEY) ?? "",
    mailbox: async () => (await currentBuyer(request))?.email ?? null,
  };
}
