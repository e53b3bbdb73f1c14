import { downloadUrl } from "#app/domain/sales/open-download.server.ts";
import { type Purchase, showPurchase } from "#app/domain/sales/show-purchase.server.ts";
import { findThankYou, type ThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { palette } from "#app/domain/storefront/palette.ts";
import { sanitizeHtml } from "#app/domain/storefront/seller-html.server.ts";
import { notFound } from "#app/kit/refusal.ts";
import { LOOK } from "#app/ui/buyer/look.tsx";
import { ThankYouPage } from "#app/ui/buyer/thank-you-page.tsx";
import { buyerPage, renderPage, respond } from "#app/web/buyer-page.server.tsx";

/** Without JavaScript an unpaid purchase looks again by itself, in seconds. */
const REFRESH = 15;

/** The page of one purchase: what was bought and, once paid, the way to it. */
export const { loader, action } = buyerPage(LOOK, {
  GET: async ({ params }) => {
    const purchase = await showPurchase(params.saleId ?? "");
    if (!purchase) throw notFound("A venda especificada não foi encontrada.");
    return respond(render(purchase, await findThankYou(purchase.sellerId)));
  },
});

function render(purchase: Purchase, { settings, guaranteeDays, contact }: ThankYou) {
  const paid = purchase.status === "completed";
  const message = sanitizeHtml(paid ? settings.custom_message : "", "m");
  const { css, scheme } = palette(settings);
  const downloads = purchase.lines
    .filter((line) => paid && line.hasFile)
    .map((line) => ({ name: line.name, kind: line.kind, href: downloadUrl(purchase.saleId, line.id) }));
  const continueTo = paid ? settings.redirect_url || purchase.redirectUrl : null;
  return renderPage(
    LOOK,
    {
      title: paid ? settings.title || "Obrigado pela sua compra!" : `Compra de ${purchase.productName}`,
      scheme,
      ...(purchase.status === "pending" ? { refreshAfter: REFRESH } : {}),
      children: (
        <ThankYouPage
          {...{ purchase, settings, guaranteeDays, contact, downloads, continueTo }}
          messageHtml={message.html}
        />
      ),
    },
    { css: [css, message.css] },
  );
}
