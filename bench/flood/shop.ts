import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { products } from "#app/db/schema/products.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { inBrowserOf, inPortal } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, makeUpsell, signedIn } from "#tests/support/make.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

/** Data for the flood: values for URL parameters, the clients, and another seller's shop where buyers order. */
export type Shop = {
  params: Record<string, string>;
  /** Values for the same parameters that nothing else refers to: for requests that delete. */
  spare: Record<string, string>;
  /** The flooding seller's session, a second one for requests that end a session, and the session of a buyer. */
  cookies: { seller: string; leaving: string; buyer: string };
  other: { sellerId: string; slug: string };
};

/**
 * Creates for the demo's seller one of everything that a URL can name, and opens a second shop. A separate program, because
 * the app's modules read the environment when they are loaded.
 */
const [seller] = await sql<{ id: string }[]>`select id from sellers where email = 'vendedor@exemplo.com.br'`;
const [sold] = await sql<Bought[]>`
  select s.id as sale, s.customer_email as email, l.id as line, c.id as charge
  from sales s join sale_lines l on l.seller_id = s.seller_id and l.sale_id = s.id join charges c on c.seller_id = s.seller_id and c.sale_id = s.id
  where s.seller_id = ${seller!.id} and s.status = 'completed' and c.status = 'paid' and l.file_url is not null
  order by s.created_at desc limit 1`;
type Bought = { sale: string; email: string; line: string; charge: string };
const [product] = await db.select().from(products).where(eq(products.checkoutSlug, "curso-de-violao"));
const [gateway] = await sql<{ token: string }[]>`
  select hook_token as token from gateway_accounts where seller_id = ${seller!.id}`;

const things = {
  ...(await make()),
  productId: String(product!.id),
  saleId: sold!.sale,
  upsellSaleId: (await makeSale(product!, { status: "completed" })).id,
  lineId: sold!.line,
  paymentId: sold!.charge,
};
const second = await makeProduct(seller!, { name: "Curso que sai de linha" });
const buyer = [await inBrowserOf({ id: sold!.sale }), await inPortal(sold!.email)].map(
  ({ Cookie }) => Cookie,
);

const other = await makeSeller({ name: "Outra Loja" });
await makeGateway(other);
await makeWebhook(other, { name: "outra-loja" });
const sells = await makeProduct(other, { name: "Curso de Ukulele", checkoutSlug: "curso-de-ukulele" });
await makeUpsell(sells);

const shop: Shop = {
  params: {
    ...things,
    slug: "curso-de-violao",
    provider: "pushinpay",
    hookToken: gateway!.token,
    token: "x",
    signature: "x",
    key: "x",
    name: "x",
  },
  spare: { ...(await make()), productId: String(second.id), saleId: (await makeSale(second)).id },
  cookies: {
    seller: (await signedIn(seller!)).Cookie,
    leaving: (await signedIn(seller!)).Cookie,
    buyer: buyer.join("; "),
  },
  other: { sellerId: other.id, slug: sells.checkoutSlug! },
};
await createApiKey(seller!.id, { name: "Chave da prova", scopes: ["read"] });
process.send!(shop);
process.disconnect();
process.exit(0);

/** Creates one of each, without references to anything else. */
async function make() {
  const webhookId = await makeWebhook(seller!, { name: "prova" });
  const deliveryId = await makeDelivery(seller!, webhookId);
  const [file] = await sql<{ id: string }[]>`
    insert into files (seller_id, name, size) values (${seller!.id}, 'aula.pdf', 1000) returning id`;
  const id = file!.id;
  await sql`insert into pictures (id, seller_id, use, source_id) values (${id}, ${seller!.id}, 'product', ${id})`;
  const owner = await makeProduct(seller!, { name: "Curso com conteúdo", fileUrl: null });
  const [content] = await sql<{ id: string }[]>`
    insert into contents (seller_id, product_id) values (${seller!.id}, ${owner.id}) returning id`;
  const [item] = await sql<{ id: string }[]>`
    insert into content_items (content_id, seller_id, kind, name, url)
    values (${content!.id}, (select seller_id from contents where id = ${content!.id}), 'link', 'Grupo', 'https://exemplo.com.br/grupo') returning id`;
  return {
    ...{ webhookId, newsId: deliveryId, uploadId: id, pictureId: id, itemId: item!.id },
    pixelId: await makePixel(seller!, "meta"),
    areaId: await makeMemberArea(seller!, "memberkit"),
  };
}
