import { db } from "#app/db/client.server.ts";
import { downloadUrl } from "#app/domain/access/open-download.server.ts";
import { type DemoShop, makeDemoShop } from "#scripts/demo-shop.ts";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import {
  makeBump,
  makeCharge,
  makeGateway,
  makeProduct,
  makeSale,
  makeSeller,
  makeUpsell,
} from "#tests/support/make.ts";
import { makeMail, stopLinkTo } from "#tests/support/rows/make-mail.ts";
import { EVERYTHING_ON, makeCheckoutSettings } from "#tests/support/rows/make-storefront.ts";

/** Addresses of screens, by a name for each. */
type Screens = Record<string, string>;

const CODE = "00020101021226850014br.gov.bcb.pix".padEnd(160, "0");
const MINUTES = 60_000;
const BUYER = "beatriz.compradora.dos.santos@exemplo.com.br";

/**
 * Every screen that a buyer may see, and those that only faults show. `cookie` opens the portal of the buyer whose
 * purchases are shown; `product` has an upsell, and its checkout is at `/checkout/s/telas`.
 */
export async function makeBuyerScreens(): Promise<{
  screens: Screens;
  cookie: string;
  product: { id: number };
}> {
  const shop = await db.transaction((tx) => makeDemoShop(tx));
  const seller = await makeSeller();
  await makeGateway(seller);
  await makeCheckoutSettings(seller, { ...EVERYTHING_ON, brand_logo_url: "" });
  const product = await makeProduct(seller, { checkoutSlug: "telas", originalPriceCents: 19700 });
  await makeBump(product);
  await makeUpsell(product, { name: "Mentoria em grupo", originalPriceCents: 29700, benefits: ["Ao vivo"] });
  const portal = await inPortalOf(shop);
  const screens: Screens = {
    find: "/thank-you",
    "money-back": "/reembolso",
    "purchases-link-spent": "/minhas-compras/entrar/x",
    "not-found": "/checkout/s/nada",
    "purchase-not-found": "/thank-you/nada",
    "nothing-bought": "/upsell/1",
    checkout: "/checkout/s/telas",
    back: "/checkout/s/telas?retry=failed",
    ...(await screensOf(await makeProduct(seller, { name: "Curso de Baixo" }))),
    offer: `/upsell/${product.id}?sale=${(await makeSale(product, { status: "completed" })).id}`,
    ...portal.screens,
  };
  return { screens, product, cookie: portal.cookie };
}

/** The possible states of purchases of a product without upsells. */
async function screensOf(plain: Awaited<ReturnType<typeof makeProduct>>): Promise<Screens> {
  const sold = (fields: Parameters<typeof makeSale>[1] = {}) => makeSale(plain, fields);
  const withCharge = async (charge: Parameters<typeof makeCharge>[1], sale = {}) => {
    const made = await sold(sale);
    await makeCharge(made, { pixCode: CODE, expiresAt: new Date(Date.now() + 20 * MINUTES), ...charge });
    return made.id;
  };
  const ranOut = { expiresAt: new Date(Date.now() - 1000) };
  const done = await sold({ status: "completed" });
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${done.id}`;
  const lost = await sold({ status: "completed" });
  await makeMail({ recipient: lost.customerEmail, saleId: lost.id });
  await sql`update mails set status = 'failed', bounced_at = now() where sale_id = ${lost.id}`;
  const moved = await sold({ status: "completed", emailCorrectedAt: new Date() });
  const child = await sold({ status: "completed", parentSaleId: done.id });
  const refused = await withCharge({ status: "failed" }, { status: "failed" });
  const refunded = await sold({ status: "refunded" });
  return {
    pix: `/checkout/pix/${await withCharge({})}`,
    "pix-of-offer": `/checkout/pix/${await withCharge({}, { parentSaleId: done.id })}`,
    making: `/checkout/pix/${await withCharge({ status: "creating", pixCode: null })}`,
    expired: `/checkout/pix/${await withCharge(ranOut)}`,
    refused: `/checkout/pix/${refused}`,
    mispaid: `/checkout/pix/${await withCharge({ status: "mispaid", paidAt: new Date(), paidCents: 100 })}`,
    waiting: `/thank-you/${await withCharge({})}`,
    "waiting-ran-out": `/thank-you/${await withCharge(ranOut)}`,
    "not-approved": `/thank-you/${refused}`,
    cancelled: `/thank-you/${(await sold({ status: "cancelled" })).id}`,
    thanks: `/thank-you/${done.id}`,
    "thanks-mail-returned": `/thank-you/${lost.id}`,
    "thanks-for-offer": `/thank-you/${child.id}`,
    refunded: `/thank-you/${refunded.id}`,
    chargedback: `/thank-you/${(await sold({ status: "chargedback" })).id}`,
    "email-corrected": `/thank-you/${moved.id}`,
    "correct-email": `/purchase-email/${done.id}`,
    "agree-spent": `/purchase-email/${done.id}/x`,
    "no-more-offers": `/upsell/${plain.id}?sale=${done.id}`,
    "link-expired": downloadUrl(done.id, line!.id, Date.now() - 24 * 60 * MINUTES),
    "link-ended": `/download/${refunded.id}/${line!.id}`,
    "stop-reminders": stopLinkTo(done.id, done.customerEmail!).path,
  };
}

/** The demo's shop, and the portal of a buyer who bought there and elsewhere. */
async function inPortalOf({ sellerId, stocks }: DemoShop): Promise<{ screens: Screens; cookie: string }> {
  const [guitar, sheet] = stocks.map(({ product }) => ({ ...product, sellerId }));
  const customerEmail = BUYER;
  const bought = await makeSale(guitar!, { status: "completed", customerEmail });
  const plain = await makeSale(sheet!, { status: "completed", customerEmail });
  const refunded = await makeSale(sheet!, { status: "refunded", customerEmail, refundedCents: 4700 });
  const [content] = await sql<{ id: string }[]>`
    insert into contents (seller_id, product_id) values (${sellerId}, ${sheet!.id}) returning id`;
  const [text] = await sql<
    { id: string }[]
  >`insert into content_items (content_id, seller_id, kind, name, html)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'text', 'Comece por aqui', '<p>Bem-vinda</p>') returning id`;
  await sql`insert into content_items (content_id, seller_id, kind, name, url, position)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'link', 'Comunidade dos alunos que começaram agora', 'https://exemplo.com.br', 1)`;
  const [line] = await sql<{ id: string }[]>`select id from sale_lines where sale_id = ${plain.id}`;
  await makeMail({ recipient: BUYER, saleId: bought.id, sellerId });
  const cardPage = async (charge: Parameters<typeof makeCharge>[1] | null, answer?: string) => {
    const sale = await makeSale(guitar!, { paymentMethod: "card" });
    const method = { provider: "mercadopago", method: "card", instalments: 3 } as const;
    const made = charge && (await makeCharge(sale, { ...method, ...charge }));
    if (made && answer)
      await sql`insert into charge_events (charge_id, seller_id, kind, data, cause)
        values (${made.id}, ${sale.sellerId}, 'in_review', ${sql.json({ state: answer })}, 'provider')`;
    return `/checkout/cartao/${sale.id}`;
  };
  const { Cookie: cookie } = await inPortal(BUYER);
  const screens = {
    card: await cardPage(null),
    "card-declined": await cardPage({ status: "declined", declineReason: "call-issuer" }),
    "card-in-review": await cardPage({ status: "in_review" }),
    // The bank's page is not known: its provider knows no such payment.
    "card-challenged": await cardPage({ status: "in_review" }, "challenged"),
    "card-unknown": await cardPage({ status: "unknown" }),
    demo: "/checkout/s/curso-de-violao",
    "demo-sheet": "/checkout/s/casa-em-ordem",
    "demo-offer": `/upsell/${guitar!.id}?sale=${bought.id}`,
    "demo-thanks": `/thank-you/${plain.id}`,
    "bought-text": `/download/${plain.id}/${line!.id}?item=${text!.id}`,
    purchases: "/minhas-compras",
    receipt: `/minhas-compras/${bought.id}`,
    "receipt-refunded": `/minhas-compras/${refunded.id}`,
    "my-data": "/minhas-compras/meus-dados",
  };
  return { screens, cookie: cookie! };
}
