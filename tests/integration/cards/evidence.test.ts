import { beforeEach, expect, test, vi } from "vitest";
import { findRefusedAccounts } from "#app/domain/gateway/find-refused-accounts.server.ts";
import { makeEvidence } from "#app/domain/refund/evidence/make-evidence.server.ts";
import { sendEvidence } from "#app/domain/refund/evidence/send-evidence.server.ts";
import { findActionItems } from "#app/domain/reports/find-action-items.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { log } from "#app/platform/log.server.ts";
import { sign } from "#app/platform/secrets.server.ts";
import { cardShop, checkPaid, disputeStateOf, sellByCard } from "#tests/integration/cards/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { readPdf } from "#tests/support/files/pdfs.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ keepWorker: true });
const shop = await cardShop();
const cookie = await signedIn(shop.seller);

beforeEach(() => app.sandbox.endFaults("mercadopago"));

type Chargeback = { id: string; files: { name: string; type: string; size: number }[] };

/** A card's sale whose dispute waits for evidence. */
async function disputed(body: object = {}, { product } = shop) {
  const sale = await sellByCard(app, product.id);
  await app.sandbox.post(`/transactions/${sale.providerId}/chargeback`, body);
  await checkPaid(sale.chargeId);
  return sale;
}

async function chargebackOf(providerId: string): Promise<Chargeback> {
  const { card } = await app.sandbox.get<{ card: { chargeback: Chargeback } }>(`/transactions/${providerId}`);
  return card.chargeback;
}

const uploads = async () => (await app.sandbox.calls()).mercadopago.documentation;
const send = (saleId: string) =>
  app.fetch(paths.refund(saleId), {
    ...{ method: "POST", redirect: "manual", headers: cookie },
    body: new URLSearchParams({ intent: "send-evidence" }),
  });
const pageOf = async (saleId: string) => (await app.fetch(paths.sale(saleId), { headers: cookie })).text();

test("the seller sees what happened, until when evidence is accepted, and where it is", async () => {
  const { saleId } = await disputed();
  const page = await pageOf(saleId);
  for (const text of [
    "contesta a compra no banco do cartão (chargeback)",
    "O provedor aceita comprovantes até",
    "Número no provedor:",
    "Baixar comprovantes (PDF)",
    "Enviar comprovantes",
  ])
    expect(page).toContain(text);
  expect(page).not.toContain("Registrar recusa");
  const items = await findActionItems(shop.seller.id);
  expect(items).toContainEqual(
    expect.objectContaining({ kind: "disputed", saleId, evidence: "needed", dueAt: expect.any(Date) }),
  );
  const dashboard = await (await app.fetch(paths.dashboard(), { headers: cookie })).text();
  expect(dashboard).toContain("Envie os comprovantes ao provedor até");
  const mail = await until(async () =>
    (await app.sandbox.emails(shop.seller.email)).find(({ body }) => body.html?.includes(saleId)),
  );
  expect(mail.body.html).toMatch(/Envie os comprovantes até <strong>/);
  expect(mail.body.html).not.toContain("MED");
});

test("the dashboard asks for evidence only while it can be sent", async () => {
  const other = await cardShop();
  const { saleId } = await disputed({}, other);
  const headers = await signedIn(other.seller);
  const dashboard = async () => (await app.fetch(paths.dashboard(), { headers })).text();
  expect(await dashboard()).toContain("Envie os comprovantes ao provedor até");
  await sql`update disputes set evidence_due_at = now() - interval '1 minute' where sale_id = ${saleId}`;
  const late = await dashboard();
  expect(late).toContain("O prazo para os comprovantes terminou");
  expect(late).not.toContain("Envie os comprovantes");
  const salePage = async () => (await app.fetch(paths.sale(saleId), { headers })).text();
  await sql`update disputes set evidence_sent_at = now() where sale_id = ${saleId}`;
  const sent = await dashboard();
  expect(sent).toContain("estamos conferindo se os comprovantes chegaram");
  expect(sent).not.toContain("O prazo para os comprovantes");
  expect(await salePage()).toContain("O provedor não respondeu ao envio");
  // Nothing arrived by then: it has to be sent again while there is time.
  await sql`update disputes set evidence_sent_at = now() - interval '1 hour',
    evidence_due_at = now() + interval '1 day' where sale_id = ${saleId}`;
  expect(await dashboard()).toContain("Envie os comprovantes ao provedor até");
  expect(await salePage()).toContain("O provedor aceita comprovantes até");
});

test("downloads are limited, and nobody but the seller uses them up", async () => {
  const { saleId } = await disputed();
  const open = (headers = cookie) => app.fetch(paths.evidence(saleId), { headers });
  const other = await signedIn(await makeSeller());
  for (let tries = 0; tries < 30; tries++) expect((await open(other)).status).toBe(404);
  expect((await open(other)).status).toBe(429);
  // As if the buyer had made that many receipts.
  await sql`insert into throttles (key, points, expire)
    values (${`receipt/target:${sign(saleId)}`}, 30, ${Date.now() + HOUR})
    on conflict (key) do update set points = excluded.points`;
  expect((await open()).status).toBe(200);
  const own = `receipt/target:${sign(`${shop.seller.id}/${saleId}`)}`;
  await sql`update throttles set points = 30 where key = ${own}`;
  expect((await open()).status).toBe(429);
});

test("the PDF has what was recorded and nothing else, with accents, and an emoji does not stop it", async () => {
  const { saleId } = await disputed();
  await sql`update sales set customer_name = '😀 João d’Ávila ó̲ 李' where id = ${saleId}`;
  await until(async () => {
    const sent =
      await sql`select 1 from mails where sale_id = ${saleId} and kind = 'purchase' and sent_at is not null`;
    return sent.length > 0;
  });
  const [line] = await sql`select id from sale_lines where sale_id = ${saleId}`;
  await sql`insert into downloads (seller_id, sale_id, line_id, item_id, ticket, at)
    select ${shop.seller.id}, ${saleId}, ${line!.id}, gen_random_uuid(), 'bilhete-' || n, '2026-11-26T12:00:00Z'::timestamptz
    from generate_series(1, 60) n`;
  const answer = await app.fetch(paths.evidence(saleId), { headers: cookie });
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const { text, pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
  expect(pages).toBeGreaterThan(1);
  const flat = text.replaceAll("\n", " ");
  for (const recorded of [
    saleId,
    shop.product.name,
    "97,00",
    "João d’Ávila",
    "529.982.247-25",
    "203.0.113.7",
    "Cartão de crédito em 1x",
    "E-mail da compra para",
    "26/11/2026 09:00:00",
    `Página 1 de ${pages}`,
  ])
    expect(flat).toContain(recorded);
  // Nobody corrected the e-mail, no member area was told, and nothing was refunded.
  for (const absent of ["E-mail corrigido", "áreas de membros", "Devolvido", "null", "undefined"])
    expect(flat).not.toContain(absent);
  const viewed = await sql`select cause from sale_events where sale_id = ${saleId} and kind = 'viewed'`;
  expect(viewed.map(({ cause }) => cause)).toEqual(["seller"]);
});

test("ten presses at once send it once, and the history says so once", async () => {
  const { saleId, chargeId, providerId } = await disputed();
  const before = await uploads();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(saleId)));
  expect(answers.every(({ status }) => status === 302)).toBe(true);
  expect(await uploads()).toBe(before + 1);
  const { files } = await chargebackOf(providerId);
  expect(files).toMatchObject([{ name: "comprovantes.pdf", type: "application/pdf" }]);
  expect(files[0]!.size).toBeLessThan(1024 * 1024);
  expect(await disputeStateOf(saleId)).toMatchObject({
    disputes: [{ evidence: "in_review", is_sent: true }],
    events: ["disputed by provider", "evidence_sent by seller"],
  });
  await checkPaid(chargeId);
  await expect(sendEvidence(shop.seller.id, saleId)).rejects.toThrow("já foram enviados");
  expect(await uploads()).toBe(before + 1);
  expect((await disputeStateOf(saleId)).events).toHaveLength(2);
  const page = await pageOf(saleId);
  expect(page).toContain("O provedor recebeu os comprovantes");
  expect(page).not.toContain("Enviar comprovantes");
  await app.sandbox.post(`/transactions/${providerId}/reject`);
  await checkPaid(chargeId);
  expect(await disputeStateOf(saleId)).toMatchObject({
    disputes: [{ status: "won", evidence: "accepted" }],
    events: ["disputed by provider", "evidence_sent by seller", "dispute_won by provider"],
  });
  await expect(sendEvidence(shop.seller.id, saleId)).rejects.toThrow("não tem uma contestação aberta");
});

test("an upload whose answer was lost is looked up before it is sent again", async () => {
  const [arrived, lost] = [await disputed(), await disputed()];
  const fault = { service: "mercadopago", route: "documentation", mode: "reset" } as const;
  for (const { saleId, chargeId } of [arrived, lost]) {
    await app.sandbox.fault({ ...fault, after: saleId === arrived.saleId });
    expect(await sendEvidence(shop.seller.id, saleId)).toBe("unconfirmed");
    // The provider is asked soon, unless it was already.
    const [check] = await sql`select exists (
        select from paced_checks where charge_id = ${chargeId} and scheduled_at < now() + interval '5 minutes')
      or exists (select from disputes where sale_id = ${saleId} and evidence_status = 'in_review') as is_soon`;
    expect(check).toEqual({ is_soon: true });
    await expect(sendEvidence(shop.seller.id, saleId)).rejects.toThrow("estão sendo enviados");
    await sql`update disputes set evidence_sent_at = now() - interval '2 minutes' where sale_id = ${saleId}`;
    await sql`update charges set last_checked_at = null where sale_id = ${saleId}`;
  }
  const before = await uploads();
  // While the worker checks the same charge a press is refused; and its check may find what arrived first.
  const press = ({ saleId }: { saleId: string }) =>
    sendEvidence(shop.seller.id, saleId).catch((error: Error) => {
      if (error.message.includes("já foram enviados")) return "sent";
      throw error;
    });
  expect(await until(() => press(arrived))).toBe("sent");
  expect(await uploads()).toBe(before);
  expect(await until(() => press(lost))).toBe("sent");
  expect(await uploads()).toBe(before + 1);
  for (const { saleId } of [arrived, lost])
    expect((await disputeStateOf(saleId)).events).toEqual([
      "disputed by provider",
      "evidence_sent by seller",
    ]);
});

test("what cannot be looked up now is not sent again", async () => {
  const { saleId } = await disputed();
  await app.sandbox.fault({ service: "mercadopago", route: "documentation", mode: "reset", after: true });
  expect(await sendEvidence(shop.seller.id, saleId)).toBe("unconfirmed");
  const before = await uploads();
  // As while another process checks the charge.
  await sql`update disputes set evidence_sent_at = now() - interval '2 minutes' where sale_id = ${saleId}`;
  await sql`update charges set last_checked_at = now(), next_check_at = null where sale_id = ${saleId}`;
  await expect(sendEvidence(shop.seller.id, saleId)).rejects.toThrow("Ainda não sabemos");
  expect(await uploads()).toBe(before);
});

test("a press that waits while another answer about the dispute is booked sends nothing", async () => {
  const { saleId } = await disputed();
  const before = await uploads();
  const lock = await holdLock(
    (tx) => tx`update disputes set evidence_status = 'missed' where sale_id = ${saleId}`,
  );
  const pressed = sendEvidence(shop.seller.id, saleId).catch((error: Error) => error.message);
  await untilLockedOut();
  await lock.release();
  expect(await pressed).not.toBe("sent");
  expect(await uploads()).toBe(before);
});

test("that it was sent is booked with the payment locked before its sale, as the provider's answers are", async () => {
  const { saleId, chargeId } = await disputed();
  const presses: Promise<string>[] = [];
  const lock = await holdLock(async (tx) => {
    await tx`select from charges where id = ${chargeId} for no key update`;
    presses.push(sendEvidence(shop.seller.id, saleId));
    await untilLockedOut();
    await tx`select from sales where id = ${saleId} for update`;
  });
  await lock.release();
  expect(await Promise.all(presses)).toEqual(["sent"]);
});

test.each([
  ["status-422", "O provedor não aceitou os comprovantes: “Não.”"],
  ["status-401", "O provedor não aceitou a chave deste pagamento"],
  ["status-403", "O provedor não aceitou a chave deste pagamento"],
  ["http-429", "indisponível no momento"],
] as const)(
  "an upload answered with %s was not sent, and may be sent again, and both are logged",
  async (mode, text) => {
    const { saleId } = await disputed();
    const fault = { service: "mercadopago", route: "documentation", times: 1 } as const;
    await app.sandbox.fault({ ...fault, mode, body: { message: "Não." } });
    const spies = [vi.spyOn(log, "warn"), vi.spyOn(log, "info")] as const;
    await expect(sendEvidence(shop.seller.id, saleId)).rejects.toThrow(text);
    // What is forbidden may be the upload alone.
    expect(await findRefusedAccounts(shop.seller.id)).toEqual(mode === "status-401" ? ["mercadopago"] : []);
    expect(await sendEvidence(shop.seller.id, saleId)).toBe("sent");
    const of = expect.objectContaining({ saleId });
    expect(await findRefusedAccounts(shop.seller.id)).toEqual([]);
    expect(spies[0]).toHaveBeenCalledWith(of, "evidence not sent");
    expect(spies[1]).toHaveBeenCalledWith(of, "evidence sent");
    for (const spy of spies) spy.mockRestore();
  },
);

test("nothing is sent where none is needed, after the deadline, without a dispute, or by another seller", async () => {
  const refused = (sellerId: string, saleId: string) => expect(sendEvidence(sellerId, saleId)).rejects;
  const unneeded = await disputed({ days: null });
  await refused(shop.seller.id, unneeded.saleId).toThrow("não pede comprovantes");
  const late = await disputed();
  await sql`update disputes set evidence_due_at = now() - interval '1 minute' where sale_id = ${late.saleId}`;
  await refused(shop.seller.id, late.saleId).toThrow("O prazo do provedor");
  expect(await pageOf(late.saleId)).toContain("O prazo para os comprovantes terminou em");
  const other = await cardShop();
  const keyless = await disputed({}, other);
  await sql`update charges set gateway_key_id = null where id = ${keyless.chargeId}`;
  await sql`update gateway_accounts set key_id = null where seller_id = ${other.seller.id}`;
  await refused(other.seller.id, keyless.saleId).toThrow(
    "A conexão com o provedor deste pagamento não existe",
  );
  const plain = await sellByCard(app, shop.product.id);
  await refused(shop.seller.id, plain.saleId).toThrow("não tem uma contestação aberta");
  const stranger = await makeSeller();
  await refused(stranger.id, late.saleId).toThrow("não tem uma contestação aberta");
  await expect(makeEvidence(stranger.id, late.saleId)).rejects.toThrow("Venda não encontrada");
  const unpaid = await makeSale(await makeProduct(shop.seller), { status: "pending" });
  await expect(makeEvidence(shop.seller.id, unpaid.id)).rejects.toThrow("Venda não encontrada");
});
