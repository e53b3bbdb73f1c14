import { expect, test } from "vitest";
import { action, loader } from "#app/routes/seller/products/preview.tsx";
import { sql } from "#tests/support/database.ts";
import { makeGateway, makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";

async function send(
  seller: { id: string } | null,
  id: number,
  form?: Record<string, string>,
): Promise<Response> {
  const request = new Request(`http://localhost:3000/products/${id}/preview`, {
    headers: seller ? await signedIn(seller) : {},
    ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
  });
  const args = { request, params: { productId: String(id) }, context: {} };
  return form ? action(args as never) : loader(args as never);
}

test("a seller's inactive product is rendered for them, marked, not cached and not indexed", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller, { name: "Em preparo", deactivatedAt: new Date() });
  const answer = await send(seller, product.id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("etag")).toBeNull();
  const html = await answer.text();
  expect(html).toContain("Prévia · produto inativo");
  expect(html).toContain("Em preparo");
  expect(html).toContain('content="noindex"');
  expect(html).not.toContain("Fazer uma compra de teste");
});

test("an active product's preview leads to the checkout with the form filled in", async () => {
  const seller = await makeSeller({ name: "Vera Vendedora" });
  await makeGateway(seller);
  const product = await makeProduct(seller, { checkoutSlug: null });
  const html = await (await send(seller, product.id)).text();
  expect(html).toContain(`href="/checkout/${product.id}?name=Vera+Vendedora&amp;email=`);
});

test("a preview states that nobody can be paid, and offers no purchase", async () => {
  const seller = await makeSeller();
  const html = await (await send(seller, (await makeProduct(seller)).id)).text();
  expect(html).toContain("Este vendedor ainda não pode receber pagamentos");
  expect(html).not.toContain("Fazer uma compra de teste");
});

test("a form sent from a preview orders nothing, and states so with what was typed", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const answer = await send(seller, product.id, {
    customer_name: "Ana Lima",
    customer_email: "ana@gmail.com",
    customer_document: "52998224725",
    customer_phone: "11987654321",
  });
  const html = await answer.text();
  expect(html).toContain("Isto é uma prévia: nenhum pedido foi feito");
  expect(html).toContain('value="Ana Lima"');
  expect(await sql`select 1 from sales where seller_id = ${seller.id}`).toHaveLength(0);
});

test("nobody else sees a preview: a stranger signs in first, another seller finds nothing, nor does its checkout", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const product = await makeProduct(seller, { name: "Em preparo", deactivatedAt: new Date() });
  const stranger = await send(null, product.id);
  expect(stranger.status).toBe(302);
  expect(stranger.headers.get("location")).toMatch(/^\/login/);
  for (const answer of [
    await send(other, product.id),
    await send(other, product.id, { customer_name: "Ana" }),
  ]) {
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("Em preparo");
  }
  expect(
    await sql`select 1 from sellers where id = ${other.id} and checkout_seen_at is not null`,
  ).toHaveLength(0);
});

test("only a view by the seller marks the checkout as seen", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  await send(seller, product.id);
  expect(
    await sql`select 1 from sellers where id = ${seller.id} and checkout_seen_at is not null`,
  ).toHaveLength(1);
});
