import type { LoaderFunctionArgs } from "@remix-run/node";
import { parseProductId } from "#app/domain/catalog/parse-product-id.ts";
import { findContent } from "#app/domain/content/find-item.server.ts";
import { textPalette } from "#app/domain/storefront/build-palette.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { pageResponse, renderPage, sellerResource } from "#app/server/pages/buyer-page.server.tsx";
import { orRefusedPage } from "#app/server/response/failure-response.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { ContentPreview } from "#app/ui/buyer/content-preview.tsx";
import { BUYER_SHELL, SELLER_SHELL } from "#app/ui/buyer/page-shell.tsx";

/** A content as its buyers will see it: the rows of the thank-you page, and the page of each text. */
export function loader(args: LoaderFunctionArgs) {
  return sellerResource(SELLER_SHELL, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const ownerName = new URL(request.url).searchParams.get("for") || "product";
    const content = await orRefusedPage(request, contentOf(seller.id, params.productId, ownerName));
    const texts = content.items.flatMap(({ kind, name, html }, at) =>
      kind === "text" ? [{ name, ...sanitizeHtml(html ?? "", `t${at}-`) }] : [],
    );
    const link = content.fileUrl
      ? [{ id: content.key, kind: "file" as const, name: content.name, size: null }]
      : [];
    const items = [
      ...link,
      ...content.items.map(({ id, kind, name, file }) => ({ id, kind, name, size: file?.size ?? null })),
    ];
    const children = <ContentPreview name={content.name} items={items} texts={texts} />;
    const { css, scheme } = textPalette(texts.map((text) => text.css).join(""));
    const title = `Prévia: ${content.name}`;
    return pageResponse(await renderPage(BUYER_SHELL, { title, scheme, children }, { css }));
  });
}

async function contentOf(sellerId: string, id: string | undefined, key: string) {
  return findContent(sellerId, parseProductId(id), key);
}
