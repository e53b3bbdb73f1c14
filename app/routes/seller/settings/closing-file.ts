import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportSeller } from "#app/domain/erasure/export-seller.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { DESK_LOOK } from "#app/ui/buyer/look.tsx";
import { withoutScreen } from "#app/web/buyer/page.server.tsx";
import { attachment } from "#app/web/files/attachment.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { requireSellerEvenClosed } from "#app/web/session/guards.server.ts";
import { streamText } from "#app/web/stream.server.ts";

/** A seller's account as a file, also once it is closed. */
export function loader(args: LoaderFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request }) => {
    const seller = await requireSellerEvenClosed(request);
    await throttle("take-along", request, seller.id);
    return streamText(exportSeller(seller.id), {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": attachment(`conta-${dayOf(new Date())}.json`),
    });
  });
}
