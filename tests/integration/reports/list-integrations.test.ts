import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { showConnection } from "#app/domain/delivery/utmify/connection.server.ts";
import { gatewaysForm } from "#app/domain/gateway/gateways-form.server.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { saveGateways } from "#app/domain/gateway/save-gateways.server.ts";
import { listIntegrations, MAX_COUNTED } from "#app/domain/reports/list-integrations.server.ts";
import { findTrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { loadIntegrations } from "#app/routes/seller/settings/integrations/loader.server.ts";
import { TrackingBadge } from "#app/ui/seller/destination/tracking-badge.tsx";
import { countStatements, sql } from "#tests/support/database.ts";
import { makeCardGateway, makeGateway, makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { makeMemberArea, makePixel } from "#tests/support/rows/make-destination.ts";
import { makeMail, makeOwnSender } from "#tests/support/rows/make-mail.ts";
import { writeMail } from "#tests/support/rows/make-reports.ts";
import { makeTracking } from "#tests/support/rows/make-tracking.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const QUEUED = { status: "queued", reason: null, responseStatus: null, attempts: 0 } as const;

test("a new seller has nothing connected, and each family states it", async () => {
  const families = await loadIntegrations((await makeSeller()).id);
  expect(
    families.map(({ title, connections }) => [title, connections.map(({ badge }) => badge.label)]),
  ).toEqual([
    ["Pagamentos", Object.keys(providers).map(() => "Não conectado")],
    ["Rastreamento", ["Sem token da API"]],
    ["E-mail", ["Pelo remetente da plataforma"]],
    ["Webhooks", []],
    ["Pixels e conversões", []],
    ["Áreas de membros", []],
  ]);
});

test("an account that charges nothing is listed only if it has keys, and never as connected", async () => {
  const seller = await makeSeller();
  const listed = async () =>
    (await loadIntegrations(seller.id))[0]!.connections.map(({ id, badge, notes }) => [
      id,
      badge.label,
      ...notes,
    ]);
  const unconnected = Object.keys(providers).map((name) => [name, "Não conectado"]);
  expect(await listed()).toEqual(unconnected);
  for (const stripe_enabled of [true, false]) {
    const keys = { stripe_public_key: "pk_teste", stripe_secret_key: "sk_teste" };
    await saveGateways(seller.id, gatewaysForm().parse({ stripe_enabled, ...keys }));
    expect(await listed()).toEqual([
      ...unconnected,
      ["stripe", "Chaves guardadas", "O checkout não recebe por aqui"],
    ]);
  }
});

test("an account that takes only cards receives none where no account has PIX on", async () => {
  const seller = await makeSeller();
  const listed = async () => {
    const [payments] = await loadIntegrations(seller.id);
    const { badge, notes } = payments!.connections.find(({ id }) => id === "mercadopago")!;
    return [badge.tone, badge.label, ...notes];
  };
  await makeCardGateway(seller);
  expect(await listed()).toEqual([
    "warning",
    "Falta o PIX",
    "O cartão só aparece ao lado do PIX: ligue o PIX desta ou de outra conta",
  ]);
  await makeGateway(seller);
  expect(await listed()).toEqual(["success", "Recebendo cartões"]);
});

test("each connection shows its state, the last delivery and the number waiting, of its own seller only", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await makeGateway(seller);
  await makeTracking(seller, { enabled: false });
  await makeOwnSender(seller);
  const stopped = { stoppedAt: new Date(), stoppedReason: "failing" } as const;
  const webhook = await makeWebhook(seller, { name: "CRM", failingSince: new Date() });
  await makeDelivery(seller, webhook, { attemptedAt: new Date("2026-11-20T15:00:00Z") });
  await makeDelivery(seller, webhook, QUEUED);
  await makeDelivery(seller, webhook, QUEUED);
  await makePixel(seller, "meta", { name: "Conta", ...stopped });
  await makeMemberArea(seller, "cademi", { name: "Escola" });
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const sent = await makeMail({ sellerId: seller.id, saleId: sale.id });
  await sql`update mails set status = 'sent', via = 'seller', sent_at = '2026-11-20T16:00:00Z' where id = ${sent}`;
  await makeMail({ sellerId: seller.id, saleId: sale.id });
  await makeDelivery(other, await makeWebhook(other, { name: "De outra loja" }), QUEUED);
  await makeWebhook(seller, { name: "Excluído", deletedAt: new Date() });

  const families = await loadIntegrations(seller.id);
  const view = families.flatMap(({ connections }) =>
    connections.map(({ name, badge, notes }) => [name, badge.label, ...notes]),
  );
  expect(view).toEqual(
    expect.arrayContaining([
      [expect.stringMatching(/PushinPay/i), "Recebendo pagamentos"],
      ["UTMify", "Pausado", "Nenhum envio recente"],
      [
        "Resend",
        "Conectado",
        "Domínio exemplo.com.br: verificado",
        "Último e-mail: 20/11/2026 13:00 · Enviado",
        "1 na fila",
      ],
      ["CRM", "Com falhas", "Último envio: Venda paga, 20/11/2026 12:00 · Recusado", "2 na fila"],
      ["Conta", "Pausado por falhas", "Nenhum envio recente"],
      ["Escola", "Configurado", "Nenhum envio recente"],
    ]),
  );
  expect(JSON.stringify(families)).not.toMatch(/De outra loja|Excluído/);
});

test("what was saved and never used is not said to be connected", async () => {
  const [untried, keyOnly, used] = [await makeSeller(), await makeSeller(), await makeSeller()];
  const badges = async ({ id }: { id: string }) =>
    (await loadIntegrations(id)).flatMap(({ connections }) =>
      connections.flatMap(({ name, badge }) =>
        badge.label === "Não conectado" ? [] : [[name, badge.label]],
      ),
    );
  for (const seller of [untried, used]) {
    await makeTracking(seller, {});
    await makeOwnSender(seller);
  }
  await makeOwnSender(keyOnly, { verified: false });
  const webhook = await makeWebhook(untried, { name: "CRM" });
  await makePixel(untried, "meta", { name: "Conta" });
  const SAVED = "Configurado";
  expect(await badges(untried)).toEqual([
    ...[
      ["UTMify", SAVED],
      ["Resend", SAVED],
    ],
    ...[
      ["CRM", SAVED],
      ["Conta", SAVED],
    ],
  ]);
  await makeDelivery(untried, webhook, { attemptedAt: new Date() });
  expect(await badges(untried)).toContainEqual(["CRM", SAVED]);
  await makeDelivery(untried, webhook, { attemptedAt: new Date(), status: "sent", responseStatus: 200 });
  expect(await badges(untried)).toContainEqual(["CRM", "Conectado"]);
  expect(await badges(keyOnly)).toContainEqual(["Resend", "Pelo remetente da plataforma"]);
  const sale = await makeSale(await makeProduct(used), { status: "completed" });
  await writeMail(sale, { status: "sent", sentAt: new Date() });
  expect(await badges(used)).toContainEqual(["Resend", SAVED]);
  await writeMail(sale, { status: "sent", sentAt: new Date(), via: "seller" });
  expect(await badges(used)).toContainEqual(["Resend", "Conectado"]);
});

test("what was skipped is no attempt, and the last one before it counts", async () => {
  const seller = await makeSeller();
  const pixel = await makePixel(seller, "meta", { name: "Conta" });
  const shown = async () =>
    (await loadIntegrations(seller.id))
      .flatMap(({ connections }) => connections)
      .filter(({ name }) => name === "Conta")
      .map(({ badge, notes }) => [badge.label, ...notes]);
  const skipped = { status: "dropped", reason: "no-consent", responseStatus: null, attempts: 0 } as const;
  const skip = (fields: Parameters<typeof makeDelivery>[2] = {}) =>
    makeDelivery(seller, pixel, { ...skipped, attemptedAt: new Date(), ...fields });
  const logged = (hour: number, result: string) => [
    { at: `2026-11-20T${hour}:00:00Z`, result, status: 200, ms: 12 },
  ];
  await skip();
  expect(await shown()).toEqual([["Configurado", "Nenhum envio recente"]]);
  await makeDelivery(seller, pixel, { attemptedAt: new Date("2026-11-20T15:00:00Z") });
  await skip();
  const last = "Último envio: Venda paga, 20/11/2026";
  expect(await shown()).toEqual([["Configurado", `${last} 12:00 · Recusado`]]);
  // It was accepted, and skipped when it was to be sent again.
  await skip({ status: "sent", attemptLog: logged(16, "taken") });
  expect(await shown()).toEqual([["Conectado", `${last} 13:00 · Entregue`]]);
  // It failed, and was skipped when it was to be repeated.
  await skip({ attempts: 1, attemptLog: logged(17, "status") });
  expect(await shown()).toEqual([["Configurado", `${last} 14:00 · Não enviado`]]);
});

test("the gateways call UTMify working only where its last event was not refused", async () => {
  const seller = await makeSeller();
  await makeTracking(seller, {});
  const [utmify] = await sql`select id from destinations where seller_id = ${seller.id}`;
  const hasSent = async () => (await findTrackingState(seller.id)).hasSent;
  expect(await hasSent()).toBe(false);
  await makeDelivery(seller, utmify!.id, { attemptedAt: new Date() });
  expect(await hasSent()).toBe(false);
  await makeDelivery(seller, utmify!.id, { attemptedAt: new Date(), status: "sent", responseStatus: 200 });
  expect(await hasSent()).toBe(true);
});

test("the screens of the tracking call its state by the word of the list of integrations", async () => {
  const seller = await makeSeller();
  const wordOf = async () => {
    const { enabled, token } = await showConnection(seller.id);
    const state = { ...(await findTrackingState(seller.id)), enabled, hasToken: token !== "" };
    const badge = renderToStaticMarkup(createElement(TrackingBadge, state)).replace(/<[^>]*>/g, "");
    const list = (await loadIntegrations(seller.id)).find(({ id }) => id === "rastreamento")!;
    expect(badge).toBe(list.connections[0]!.badge.label);
    return badge;
  };
  const words = [await wordOf()];
  await makeTracking(seller, { enabled: false });
  words.push(await wordOf());
  await makeTracking(seller, {});
  words.push(await wordOf());
  const [utmify] = await sql`select id from destinations where seller_id = ${seller.id}`;
  await makeDelivery(seller, utmify!.id, { attemptedAt: new Date(), status: "sent", responseStatus: 200 });
  words.push(await wordOf());
  await sql`update destinations set failing_since = now() where id = ${utmify!.id}`;
  words.push(await wordOf());
  expect(words).toEqual(["Sem token da API", "Pausado", "Configurado", "Conectado", "Com falhas"]);
});

test("more connections and a larger backlog take no more statements", async () => {
  const seller = await makeSeller();
  const bare = await countStatements(() => listIntegrations(seller.id));
  await makeTracking(seller);
  const webhook = await makeWebhook(seller, { name: "Primeiro" });
  for (let at = 0; at < 4; at++) await makeWebhook(seller, { name: `Webhook ${at}` });
  await sql`insert into deliveries ${sql(
    Array.from({ length: MAX_COUNTED + 5 }, () => ({
      ...{ destination_id: webhook, seller_id: seller.id, subject_id: crypto.randomUUID() },
      ...{ about_id: crypto.randomUUID(), event: "sale.paid" },
    })),
  )}`;
  const full = await countStatements(() => listIntegrations(seller.id));
  expect(full.count).toBe(bare.count);
  expect(full.count).toBeLessThanOrEqual(8);
  expect(full.result.webhooks.map(({ waiting }) => waiting)).toEqual([0, 0, 0, 0, MAX_COUNTED]);
  expect(full.result.tracking).toMatchObject({ state: "connected", destination: { kind: "utmify" } });
});

test("the newest mail to a buyer tells how mails are, though fifty before it failed", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  await sql`insert into mails (seller_id, sale_id, kind, recipient, idempotency_key, status, failed_at, created_at)
    select ${seller.id}, ${sale.id}, 'purchase', '', ${sale.id} || n, 'failed', now(), now() - n * interval '1 minute'
    from generate_series(1, 50) n`;
  const sentAt = new Date("2026-11-20T16:00:00Z");
  await writeMail(sale, { status: "sent", sentAt });
  const { last } = (await listIntegrations(seller.id)).mail;
  expect(last).toMatchObject({ status: "sent" });
  expect(new Date(last!.at)).toEqual(sentAt);
});
