import type { LoaderFunctionArgs } from "@remix-run/node";
import { fitsQrCode } from "#app/domain/checkout/link/build-link.ts";
import { qrSvg } from "#app/kit/qr-code.ts";
import { notFound } from "#app/kit/refusal.ts";
import { renderQrPng } from "#app/platform/render-qr-png.server.ts";
import { loadLink, SHOWN_LINK } from "#app/routes/seller/links/link.server.ts";
import { attachmentDisposition } from "#app/server/files/attachment-disposition.ts";
import { sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { bufferedResponse } from "#app/server/response/buffered-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** What readers need around a code, in modules. Source: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/** The QR code of a link to a checkout as a file: `?format=svg` or `png`, the link's parameters, and the link as its page showed it. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const query = new URL(request.url).searchParams;
    const { product, link } = await loadLink(seller.id, params.productId, query);
    // The offer of the page may be gone: the code for another price would be printed.
    const isAsShown = (query.get(SHOWN_LINK) ?? link) === link;
    if (!link || !isAsShown || !fitsQrCode(link)) throw notFound("QR code não encontrado");
    const isPng = query.get("format") === "png";
    const name = `qrcode-${product.checkoutSlug ?? product.id}.${isPng ? "png" : "svg"}`;
    const picture = isPng
      ? (renderQrPng(link, QUIET_ZONE) as Uint8Array<ArrayBuffer>)
      : await qrSvg(link, QUIET_ZONE);
    return bufferedResponse(picture, {
      headers: {
        "Content-Type": isPng ? "image/png" : "image/svg+xml",
        "Content-Disposition": attachmentDisposition(name),
        "Cache-Control": "private, no-store",
      },
    });
  });
}
