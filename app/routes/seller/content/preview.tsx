import type { LoaderFunctionArgs } from "@remix-run/node";
import { productId } from "#app/domain/catalog/product-id.ts";
import { findContent } from "#app/domain/content/find-item.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { ContentPreview } from "#app/ui/buyer/content-preview.tsx";
import { DESK_LOOK, LOOK } from "#app/ui/buyer/look.tsx";
import { renderPage, respond, withoutScreen } from "#app/web/buyer/page.server.tsx";
import { orRefuse } from "#app/web/pages.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

/** What a buyer will see of a content: the rows of the thank-you page, and each text as it is read. */
export function loader(args: LoaderFunctionArgs) {
  return withoutScreen(DESK_LOOK, args, async ({ request, params }) => {
    const seller = await requireSeller(request);
    const asked = new URL(request.url).searchParams.get("for") || "product";
    const content = await orRefuse(request, contentOf(seller.id, params.productId, asked));
    const texts = content.items.flatMap(({ kind, name, html }, at) =>
      kind === "text" ? [{ name, ...sanitizeHtml(html ?? "", `t${at}-`) }] : [],
    );
    const items = content.items.map(({ id, kind, name, file }) => ({
      id,
      kind,
      name,
      size: file?.size ?? null,
    }));
    const children = <ContentPreview name={content.name} items={items} texts={texts} />;
    const page = renderPage(
      LOOK,
      { title: `Prévia: ${content.name}`, children },
      { css: texts.map(({ css }) => css) },
    );
    return respond(page);
  });
}

async function contentOf(sellerId: string, id: string | undefined, key: string) {
  return findContent(sellerId, productId(id), key);
}
