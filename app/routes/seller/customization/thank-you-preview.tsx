import type { Purchase } from "#app/domain/access/show-purchase.server.ts";
import { THANK_YOU } from "#app/domain/storefront/customizations.server.ts";
import { findPreviewProduct } from "#app/domain/storefront/find-preview-product.server.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { colorsAfter, palette } from "#app/domain/storefront/palette.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { shownThankYou, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import { ThankYouPage } from "#app/ui/buyer/thank-you-page.tsx";
import { PreviewDocument } from "#app/ui/seller/preview/document.tsx";
import { endpoint } from "#app/web/api.server.ts";
import { renderPage } from "#app/web/buyer/page.server.tsx";
import { preview } from "#app/web/customization/preview.server.ts";

type Seller = { id: string; name: string };

/** The thank-you page as it is saved (GET) or would be with what a form holds (POST), which is not saved. */
export const { loader, action } = endpoint(preview(THANK_YOU, draw));

async function draw(seller: Seller, chosen: ThankYouSettings) {
  const settings = shownThankYou(chosen);
  const { checkout, guaranteeDays, contact, store } = await findThankYou(seller.id);
  const purchase = await examplePurchase(seller);
  const message = sanitizeHtml(settings.custom_message, "m");
  const { css, scheme } = palette(colorsAfter(settings, checkout));
  return renderPage(
    { Document: PreviewDocument },
    {
      title: "Prévia da página de obrigado",
      scheme,
      children: (
        <ThankYouPage
          {...{ purchase, settings, guaranteeDays, contact, store }}
          messageHtml={message.html}
          downloads={[{ name: purchase.productName, kind: "product", href: "#" }]}
          bought={[]}
          taken={[]}
          keep={null}
          mail={{ to: "maria@exemplo.com.br", state: "delivered" }}
          continueTo={settings.redirect_url || null}
        />
      ),
    },
    { css: [css, message.css] },
  );
}

/** A paid purchase of the seller's first product. */
async function examplePurchase(seller: Seller): Promise<Purchase> {
  const product = await findPreviewProduct(seller);
  const { name, priceCents } = product;
  return {
    saleId: "00000000-0000-4000-8000-000000000000",
    productId: product.id,
    productName: name,
    imageUrl: product.imageUrl,
    redirectUrl: null,
    sellerId: seller.id,
    sellerName: product.sellerName,
    status: "completed",
    accessSuspendedAt: null,
    shopClosedAt: null,
    amountCents: priceCents,
    parentSaleId: null,
    standing: "paid",
    payments: [],
    hasMail: true,
    customerEmail: "maria@exemplo.com.br",
    emailCorrectedAt: null,
    isGivenUp: false,
    guaranteeDays: null,
    lines: [{ id: "exemplo", kind: "product", name, priceCents, hasFile: true, items: [] }],
  };
}
