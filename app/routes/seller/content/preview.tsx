import type { LoaderFunctionArgs } from "@remix-run/node";
import { productId } from "#app/domain/catalog/product-id.ts";
import { listContent } from "#app/domain/content/list-content.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { ContentPreview } from "#app/ui/buyer/content-preview.tsx";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { renderPage, respond } from "#app/web/buyer/page.server.tsx";
import { orRefuse } from "#app/web/pages.server.ts";
import { requireSeller } from "#app/web/session/guards.server.ts";

/** What a buyer will see of a content: the rows of the thank-you page, and each text as it is read. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const asked = new URL(request.url).searchParams.get("for") || "product";
  const content = await orRefuse(request, found(seller.id, params.productId, asked));
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
}

async function found(sellerId: string, id: string | undefined, key: string) {
  const content = (await listContent(sellerId, productId(id))).find((one) => one.key === key);
  if (!content) throw notFound();
  return content;
}
