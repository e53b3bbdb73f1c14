import { buildPalette, hasOwnColors, thankYouColors } from "#app/domain/storefront/build-palette.ts";
import { THANK_YOU_CUSTOMIZATION } from "#app/domain/storefront/customizations.server.ts";
import { findPreviewProduct } from "#app/domain/storefront/find-preview-product.server.ts";
import { findThankYou } from "#app/domain/storefront/find-thank-you.server.ts";
import { sanitizeHtml } from "#app/domain/storefront/sanitize/seller-html.server.ts";
import { publicThankYouSettings, type ThankYouSettings } from "#app/domain/storefront/thank-you-settings.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { previewEndpoint } from "#app/server/customization/preview-endpoint.server.ts";
import { renderPage } from "#app/server/pages/buyer-page.server.tsx";
import { ThankYouPage, type ThankYouView } from "#app/ui/buyer/thank-you-page.tsx";
import { PreviewDocument } from "#app/ui/seller/preview/document.tsx";

type Seller = { id: string; name: string };

/** The thank-you page as saved (GET) or with a form's unsaved values (POST). */
export const { loader, action } = endpoint(previewEndpoint(THANK_YOU_CUSTOMIZATION, renderPreview));

async function renderPreview(seller: Seller, chosen: ThankYouSettings) {
  const settings = publicThankYouSettings(chosen);
  const { checkout, guaranteeDays, contact, store } = await findThankYou(seller.id);
  const purchase = await examplePurchase(seller);
  const isOnlyWay = !settings.show_download_button;
  const message = sanitizeHtml(settings.custom_message, "m");
  const { css, scheme } = buildPalette(thankYouColors(settings, checkout), hasOwnColors(message.css));
  return renderPage(
    { Document: PreviewDocument },
    {
      title: "Prévia da página de obrigado",
      scheme,
      children: (
        <ThankYouPage
          {...{ purchase, settings, guaranteeDays, contact, store }}
          messageHtml={message.html}
          downloads={isOnlyWay ? [] : [{ name: purchase.productName, kind: "product", href: "#" }]}
          bought={[]}
          acceptedUpsells={[]}
          keys={new Map()}
          purchaseLink={null}
          mail={{ to: "maria@exemplo.com.br", state: "delivered", isOnlyWay }}
          continueTo={settings.redirect_url || null}
        />
      ),
    },
    { css: [css, message.css] },
  );
}

/** A paid purchase of the seller's first product. */
async function examplePurchase(seller: Seller): Promise<ThankYouView["purchase"]> {
  const product = await findPreviewProduct(seller);
  const { name, priceCents } = product;
  return {
    paymentMethod: "pix",
    saleId: "00000000-0000-4000-8000-000000000000",
    productId: product.id,
    productName: name,
    imageUrl: product.imageUrl,
    redirectUrl: null,
    sellerId: seller.id,
    sellerName: product.sellerName,
    status: "completed",
    accessSuspendedAt: null,
    refundRequest: null,
    shopClosedAt: null,
    amountCents: priceCents,
    couponCode: null,
    parentSaleId: null,
    paymentSummary: "paid",
    chargeId: null,
    hadCode: true,
    codeExpiresAt: null,
    completedAt: null,
    payments: [],
    hasMail: true,
    customerEmail: "maria@exemplo.com.br",
    emailCorrectedAt: null,
    isGivenUp: false,
    isAnonymized: false,
    isForSale: true,
    isBumpGone: false,
    guaranteeDays: null,
    rejectedDisputes: [],
    lines: [
      {
        id: "exemplo",
        kind: "product",
        name,
        priceCents,
        discountCents: 0,
        methodDiscountCents: 0,
        hasFile: true,
        items: [],
      },
    ],
  };
}
