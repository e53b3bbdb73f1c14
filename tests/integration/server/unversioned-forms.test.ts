import { beforeAll, expect, test } from "vitest";
import { CHECKOUT_DEFAULTS } from "#app/domain/storefront/checkout-settings.ts";
import { THANK_YOU_DEFAULTS } from "#app/domain/storefront/thank-you-settings.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeCoupon, makeOffer, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ worker: 0 });
});

type Shop = {
  seller: { id: string; email: string };
  productId: number;
  saleId: string;
  couponId: string;
  offerId: string;
};

/** A form of the dashboard that replaces data, posted without the version that was read; `typed` is in the answer. */
const forms: Record<string, (shop: Shop) => { page: string; fields: Record<string, string>; typed: string }> =
  {
    "a product": ({ productId }) => ({
      page: `/products/${productId}/edit`,
      fields: { name: "Meu nome novo", price: "10", file_url: "https://exemplo.com.br/a" },
      typed: "Meu nome novo",
    }),
    "a coupon": ({ couponId }) => ({
      page: `/coupons/${couponId}/edit`,
      fields: { code: "MEUCODIGO", discount: "15" },
      typed: "MEUCODIGO",
    }),
    "an offer": ({ productId, offerId }) => ({
      page: `/products/${productId}/offers/${offerId}/edit`,
      fields: { name: "Meu lote novo", price: "10" },
      typed: "Meu lote novo",
    }),
    "a buyer": ({ saleId }) => ({
      page: `/reports/sales/${saleId}?edit=customer`,
      fields: { customer_name: "Minha correção", customer_email: "a@exemplo.com.br" },
      typed: "Minha correção",
    }),
    "the profile": ({ seller }) => ({
      page: "/settings",
      fields: { intent: "profile", name: "Meu nome novo", email: seller.email },
      typed: "Meu nome novo",
    }),
    "the notifications": () => ({
      page: "/settings?tab=notificacoes",
      fields: { intent: "notifications" },
      typed: "Nova venda",
    }),
    "the gateways": () => ({
      page: "/settings?tab=gateways",
      fields: { intent: "gateways", utmfy_enabled: "on" },
      typed: "UTMify",
    }),
    "the mail's template": () => ({
      page: "/settings/email",
      fields: {
        intent: "save",
        sender_name: "Meu nome novo",
        subject: "S",
        html_content: "<p>{product_file_url}</p>",
      },
      typed: "Meu nome novo",
    }),
    "the reminders": () => ({
      page: "/settings/email",
      fields: { intent: "reminders", "reminder[0]": "60" },
      typed: "Lembretes",
    }),
    "the sending domain": () => ({
      page: "/settings/email?tab=domain",
      fields: { intent: "save-domain", domain_name: "meu-dominio.com.br" },
      typed: "meu-dominio.com.br",
    }),
    "the tracking": () => ({
      page: "/settings/utmfy",
      fields: { intent: "save", source_id: "minha-origem" },
      typed: "minha-origem",
    }),
    "the checkout's look": () => ({
      page: "/checkout-customization",
      fields: texts({ ...CHECKOUT_DEFAULTS, brand_name: "Minha marca nova" }),
      typed: "Minha marca nova",
    }),
    "the thank-you page's look": () => ({
      page: "/thank-you-customization",
      fields: texts({ ...THANK_YOU_DEFAULTS, title: "Meu título novo" }),
      typed: "Meu título novo",
    }),
  };

/** Settings as a form posts them: a box that is off is not posted. */
function texts(settings: object): Record<string, string> {
  const on = Object.entries(settings).filter(([, value]) => value !== false);
  return Object.fromEntries(on.map(([name, value]) => [name, value === true ? "on" : String(value)]));
}

test.each(Object.entries(forms))(
  "a form of %s that names no version is sent back as it was typed",
  async (_, formOf) => {
    const seller = await makeSeller();
    const product = await makeProduct(seller);
    const sale = await makeSale(product, { status: "completed" });
    const { page, fields, typed } = formOf({
      seller,
      productId: product.id,
      saleId: sale.id,
      couponId: (await makeCoupon(seller)).id,
      offerId: (await makeOffer(product)).id,
    });
    const before = await stored(seller.id);
    const answer = await app.fetch(page, {
      method: "POST",
      headers: await signedIn(seller),
      body: new URLSearchParams(fields),
    });
    const html = await answer.text();
    expect(answer.status).toBe(409);
    expect(html).toContain("Salvar o meu por cima");
    expect(html).toContain(typed);
    expect(await stored(seller.id)).toEqual(before);
  },
);

async function stored(sellerId: string) {
  return sql`
    select s.name, p.name as product, v.customer_name, s.notify_new_sale,
      (select count(*)::int from email_templates where seller_id = s.id) as templates,
      (select count(*)::int from email_domains where seller_id = s.id) as domains,
      (select count(*)::int from destinations where seller_id = s.id and kind = 'utmify') as connections,
      (select count(*)::int from checkout_customizations where seller_id = s.id) as checkouts,
      (select code from coupons where seller_id = s.id) as coupon,
      (select name from offers where seller_id = s.id) as offer,
      (select count(*)::int from thank_you_customizations where seller_id = s.id) as thanks
    from sellers s join products p on p.seller_id = s.id join sales v on v.seller_id = s.id
    where s.id = ${sellerId}`;
}
