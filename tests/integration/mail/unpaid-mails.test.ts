import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { announcePix } from "#app/domain/pix/announce-pix.server.ts";
import { remindBuyer } from "#app/domain/reminder/remind-buyer.server.ts";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { waitingJobs } from "#tests/support/make-mail.ts";

await startApp({ web: 0, worker: 0 });
const shops = [await openShop(), await openShop()];

const TRY = { number: 1, last: false };
const announce = (saleId: string) => announcePix.handle({ saleId }, TRY);
const mailsOf = (saleIds: string[]) =>
  sql`select * from mails where sale_id in ${sql(saleIds)} order by created_at`;

/** Orders of one address at two sellers, each from a client of its own. */
async function orders(many: number, email: string) {
  const customer = { name: "Bia", email, phone: null, document: null };
  const bought = await Promise.all(
    Array.from({ length: many }, (_, i) =>
      buy(shops[i % 2]!.product.id, {
        customer,
        placer: { client: randomUUID(), browser: "test", placed: [] },
      }),
    ),
  );
  return bought.map(({ saleId }) => saleId);
}

test("an address that paid for nothing gets five mails an hour, however many order with it at once", async () => {
  const email = `alvo-${randomUUID()}@exemplo.com.br`;
  const saleIds = await orders(8, email);
  await Promise.all(saleIds.map(announce));
  const mails = await mailsOf(saleIds);
  expect(mails).toHaveLength(8);
  const [sent, kept] = [
    mails.filter((m) => m.status === "attempting"),
    mails.filter((m) => m.status === "failed"),
  ];
  expect([sent.length, kept.length]).toEqual([5, 3]);
  for (const mail of kept)
    expect(mail.error).toBe(
      "Não enviado: este endereço já recebeu 5 e-mails de pedidos não pagos na última hora.",
    );
  const queued = (await waitingJobs("send-mail")).map((job) => job.ids.mailId);
  expect(mails.filter((m) => queued.includes(m.id)).map((m) => m.id)).toEqual(sent.map((m) => m.id));
  // Who was not told of an order is not reminded of it; who was is, within the same five.
  const reminded = (await waitingJobs("remind-buyer")).map((job) => job.ids.saleId);
  expect(saleIds.filter((id) => reminded.includes(id)).sort()).toEqual(sent.map((m) => m.sale_id).sort());
  await remindBuyer.handle({ saleId: sent[0]!.sale_id, number: 1, since: Date.now() }, TRY);
  const [reminder] =
    await sql`select status from mails where sale_id = ${sent[0]!.sale_id} and kind = 'reminder'`;
  expect(reminder!.status).toBe("failed");
});

test("a paid order gives its place back, an hour gives them all, and what paying causes is never kept", async () => {
  const email = `paga-${randomUUID()}@exemplo.com.br`;
  const saleIds = await orders(5, email);
  for (const saleId of saleIds) await announce(saleId);
  const announceOne = async () => {
    const [saleId] = await orders(1, email);
    await announce(saleId!);
    return (await mailsOf([saleId!]))[0]!.status;
  };
  expect(await announceOne()).toBe("failed");
  await sql`update sales set status = 'completed', completed_at = now() where id = ${saleIds[0]!}`;
  expect(await announceOne()).toBe("attempting");
  expect(await announceOne()).toBe("failed");
  await sql`update mails set created_at = created_at - interval '1 hour' where recipient = ${email}`;
  expect(await announceOne()).toBe("attempting");
});
