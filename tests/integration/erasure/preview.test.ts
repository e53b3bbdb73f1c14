import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { previewErasure } from "#app/domain/erasure/preview-erasure.server.ts";
import { requestErasure } from "#app/domain/erasure/request-erasure.server.ts";
import { MINUTE } from "#app/kit/duration.ts";
import * as myData from "#app/routes/buyer/purchases/my-data.tsx";
import { inPortal } from "#tests/integration/buyer/support.ts";
import { sql } from "#tests/support/database.ts";
import { makeCharge, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const buyer = () => `zoe-${randomUUID()}@exemplo.com.br`;
const noonOf = (day: string) => new Date(`${day}T15:00:00Z`);

test("a buyer sees what was paid, what can be refunded until when, and what is unfinished", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  const ordered = (day: string, fields: Parameters<typeof makeSale>[1] = {}) =>
    makeSale(product, { customerEmail: email, guaranteeDays: 7, createdAt: noonOf(day), ...fields });
  const bought = (day: string, status: "completed" | "disputed" | "refunded" = "completed") =>
    ordered(day, { status, completedAt: noonOf(day) });

  await bought("2026-02-20");
  const first = await bought("2026-03-05");
  const disputed = await bought("2026-03-06", "disputed");
  await bought("2026-03-07", "refunded");
  const second = await bought("2026-03-08");
  const declined = await bought("2026-03-09");
  await sql`insert into refund_requests (sale_id, seller_id, kind, answer, answered_at)
    values (${declined.id}, ${product.sellerId}, 'question', 'declined', now())`;
  const unpaid = await ordered("2026-03-09");
  await makeCharge(unpaid);
  await ordered("2026-03-04", { status: "cancelled" });
  await requestErasure(buyer());

  const { name } = product;
  expect(await previewErasure(email, noonOf("2026-03-10"))).toEqual({
    paid: 6,
    returnable: [
      { saleId: first.id, name, isPaid: true, endsAt: new Date("2026-03-13T03:00:00Z") },
      { saleId: second.id, name, isPaid: true, endsAt: new Date("2026-03-16T03:00:00Z") },
    ],
    unfinished: [
      { saleId: unpaid.id, name, isPaid: false, hasOpenPix: true, isRequested: false },
      { saleId: disputed.id, name, isPaid: true, hasOpenPix: false, isRequested: false },
    ],
    requestedAt: null,
  });
  const { returnable } = await previewErasure(email, new Date("2026-03-13T03:00:00Z"));
  expect(returnable.map(({ saleId }) => saleId)).toEqual([second.id]);
  await requestErasure(email);
  // One that was corrected to the address since then stays as it is until they ask again.
  await sql`update sales set email_corrected_at = now() + interval '1 minute' where id = ${unpaid.id}`;
  expect(await previewErasure(email)).toMatchObject({
    requestedAt: expect.any(Date),
    unfinished: [
      { saleId: unpaid.id, isRequested: false },
      { saleId: disputed.id, isRequested: true },
    ],
  });
});

test("a purchase whose refund was accepted by its provider is no longer named as one that can be refunded", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  const at = noonOf("2026-03-05");
  const fields = { customerEmail: email, guaranteeDays: 7, status: "completed", completedAt: at } as const;
  const sale = await makeSale(product, fields);
  const charge = await makeCharge(sale, { status: "paid", paidAt: at, paidCents: 9700 });
  await sql`insert into refunds (charge_id, seller_id, amount_cents, status, origin)
    values (${charge.id}, ${product.sellerId}, 9700, 'pending', 'requested')`;
  const returnable = async () => (await previewErasure(email, noonOf("2026-03-06"))).returnable;
  expect(await returnable()).toMatchObject([{ saleId: sale.id }]);
  await sql`update refunds set accepted_at = now() where charge_id = ${charge.id}`;
  expect(await returnable()).toEqual([]);
});

test("a purchase can be refunded as much later as the bank took to reject its dispute", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  const at = noonOf("2026-03-05");
  const fields = { customerEmail: email, guaranteeDays: 7, status: "completed", completedAt: at } as const;
  const { id } = await makeSale(product, fields);
  const endsAt = async () => (await previewErasure(email, at)).returnable[0]!.endsAt;
  expect(await endsAt()).toEqual(new Date("2026-03-13T03:00:00Z"));
  await sql`insert into disputes (seller_id, sale_id, amount_cents, status, origin, opened_at, decided_at)
    values (${product.sellerId}, ${id}, 9700, 'won', 'seller', ${noonOf("2026-03-06")}, ${noonOf("2026-03-09")})`;
  expect(await endsAt()).toEqual(new Date("2026-03-16T03:00:00Z"));
});

test("an order that waits for something else than its PIX is not called an open PIX", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { customerEmail: email, status: "completed", completedAt: noonOf("2026-03-05") });
  const headers = await inPortal(email);
  const waiting = async (fields: Parameters<typeof makeCharge>[1]) => {
    const sale = await makeSale(product, { customerEmail: email });
    await makeCharge(sale, fields);
    const page = await call(myData, "/minhas-compras/meus-dados", { headers });
    await sql`update sales set customer_email = null where id = ${sale.id}`;
    return /class="fine nowrap">([^<]*)</.exec(await page.text())?.[1];
  };
  const soon = new Date(Date.now() + MINUTE);
  expect(await waiting({ expiresAt: soon })).toBe("PIX em aberto");
  expect(await waiting({ status: "creating", providerId: null, creatingUntil: soon })).toBe("PIX em aberto");
  const card = { method: "card", provider: "mercadopago", instalments: 1 } as const;
  for (const status of ["in_review", "creating"] as const)
    expect(await waiting({ ...card, status }), status).toBe("em andamento");
  const paidAt = new Date();
  expect(await waiting({ status: "mispaid", paidAt, paidCents: 5000 })).toBe("em andamento");
});

test("what a disputed purchase waits for is named before the request, after it and later", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { customerEmail: email, status: "disputed", completedAt: noonOf("2026-03-05") });
  const pageFor = async (init?: Parameters<typeof call>[2]) => {
    const page = await call(myData, "/minhas-compras/meus-dados", {
      headers: await inPortal(email),
      ...init,
    });
    return (await page.text()).replace(/<[^>]*>/g, "");
  };
  const awaited = "que termine um pagamento, um reembolso, uma contestação ou o encerramento de um acesso";
  expect(await pageFor()).toContain(`Esta espera ${awaited}.`);
  expect(await pageFor({ method: "POST", body: new URLSearchParams({ understood: "yes" }) })).toContain(
    `Uma compra espera ${awaited}:`,
  );
  expect(await pageFor()).toContain(
    `O que foi comprado com este e-mail até então e ainda aparece em Minhas compras espera ${awaited}.`,
  );
});

test("of more than 200 orders the newest 200 are previewed", async () => {
  const email = buyer();
  const product = await makeProduct(await makeSeller());
  // The newest is not paid, the 200 before it are.
  await sql`insert into sales (seller_id, product_id, amount_cents, order_key, customer_email, status, created_at, completed_at)
    select ${product.sellerId}, ${product.id}, 9700, 'order-' || n, ${email}, case when n = 0 then 'pending' else 'completed' end,
      now() - make_interval(hours => n), case when n > 0 then now() end
    from generate_series(0, 200) n`;
  expect((await previewErasure(email)).paid).toBe(199);
});
