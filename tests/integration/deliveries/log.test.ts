import { expect, test } from "vitest";
import { listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import { loadLog } from "#app/domain/delivery/load-log.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { HOUR } from "#app/kit/duration.ts";
import { seal } from "#app/platform/secrets.server.ts";
import * as logRoute from "#app/routes/api/settings/webhooks/log.ts";
import * as webhooksRoute from "#app/routes/api/settings/webhooks/webhooks.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeMemberArea } from "#tests/support/rows/make-destination.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

const NEXT = new Date(Date.now() + HOUR);

/** A webhook's log: a delivered, a failed, a queued and a tested event, the oldest first. */
async function someLog() {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const webhook = await makeWebhook(seller, { name: "logged" });
  const sent = await makeDelivery(seller, webhook, {
    ...{ saleId: sale.id, status: "sent", reason: "taken", responseStatus: 200, responseBody: "ok" },
    ...{ attempts: 1, bodySealed: seal('{"a":[1]}') },
    attemptLog: [{ at: "2026-06-08T14:53:07Z", result: "taken", status: 200, ms: 12 }],
  });
  const failed = await makeDelivery(seller, webhook, {
    ...{ saleId: sale.id, clearedAt: new Date() },
    attemptLog: [{ at: "2026-06-08T14:53:07Z", result: "status", status: 500, ms: 7 }],
  });
  const retried = await makeDelivery(seller, webhook, {
    ...{ saleId: sale.id, status: "queued", attempts: 1, nextAttemptAt: NEXT },
  });
  const tested = await makeDelivery(seller, webhook, { status: "queued", reason: null, attempts: 0 });
  // Of another webhook of the same seller.
  await makeDelivery(seller, await makeWebhook(seller, { name: "other-log" }), { saleId: sale.id });
  return { seller, sale, webhook, ids: [sent, failed, retried, tested] };
}

/** The pages of a webhook's log as a program reads them: the ids on one, and the addresses of its neighbours. */
async function logReader({ seller, webhook }: { seller: { id: string }; webhook: string }) {
  const headers = await signedIn(seller);
  return async (address: string) => {
    const answer = await call(logRoute, address, { headers, params: { webhookId: webhook } });
    const links = answer.headers.get("link") ?? "";
    const linkTo = (rel: string) => new RegExp(`<([^>]+)>; rel="${rel}"`).exec(links)?.[1];
    const listed: { id: string }[] = await answer.json();
    return { ids: listed.map(({ id }) => id), next: linkTo("next"), prev: linkTo("prev") };
  };
}

test("the log's pages lead to each other in both directions, with each delivery of the webhook once", async () => {
  const { seller, webhook, ids } = await someLog();
  const get = await logReader({ seller, webhook });
  const first = await get(`/api/settings/webhooks/${webhook}/log?limit=1`);
  const second = await get(first.next!);
  const third = await get(second.next!);
  const last = await get(third.next!);
  const listed = [first, second, third, last].flatMap((page) => page.ids);
  expect(listed).toEqual([...ids].reverse());
  expect([first.prev, last.next]).toEqual([undefined, undefined]);
  expect((await get(last.prev!)).ids).toEqual(third.ids);
  const back = await get(third.prev!);
  expect([back.ids, (await get(back.prev!)).ids]).toEqual([second.ids, first.ids]);
});

test("the parts of a delivery that its pages divide are each on one of them", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const webhook = await makeWebhook(seller, { name: "parts", form: "kiwify" });
  const parts: string[] = [];
  for (const part of [0, 1, 2])
    parts.push(await makeDelivery(seller, webhook, { saleId: sale.id, aboutId: sale.id, sequence: 7, part }));
  const get = await logReader({ seller, webhook });
  const first = await get(`/api/settings/webhooks/${webhook}/log?limit=2`);
  const rest = await get(first.next ?? "");
  expect([first.ids, rest.ids]).toEqual([[parts[2], parts[1]], [parts[0]]]);
  expect((await get(rest.prev!)).ids).toEqual(first.ids);
  const kind = listedKindOf("webhook");
  const older = await loadLog(kind, seller.id, webhook, new URLSearchParams({ before: "7.1" }));
  expect([older.items.map(({ id }) => id), older.page, older.newer]).toEqual([[parts[0]], "before=7.1", "7"]);
});

test("a program reads how each delivery went, with its body as it was sent", async () => {
  const { seller, sale, webhook, ids } = await someLog();
  const headers = await signedIn(seller);
  const answer = await call(logRoute, "/log", { headers, params: { webhookId: webhook } });
  const [tested, retried, failed, sent] = await answer.json();
  expect(sent).toMatchObject({
    ...{ id: ids[0], sale_id: sale.id, is_test: false, status: "sent", reason: null, attempts: 1 },
    ...{ response_status: 200, response_body: "ok", body: '{"a":[1]}' },
    ...{ next_try_at: null, is_cleared: false },
  });
  expect(failed).toMatchObject({
    ...{ id: ids[1], status: "refused", reason: "O endereço respondeu HTTP 500." },
    ...{ body: null, next_try_at: null, is_cleared: true },
  });
  expect(retried).toMatchObject({ id: ids[2], status: "queued", next_try_at: NEXT.toISOString() });
  expect(tested).toMatchObject({ id: ids[3], sale_id: null, is_test: true, next_try_at: null });
});

test("the seller's page says the same in words, with the body and answer of the one that is open", async () => {
  const { seller, sale, webhook, ids } = await someLog();
  const show = (query: Record<string, string>) =>
    loadLog(listedKindOf("webhook"), seller.id, webhook, new URLSearchParams(query));
  const { items, newer, older, page } = await show({ before: "", after: "" });
  expect([newer, older, page]).toEqual([null, null, ""]);
  const [tested, retried, failed, sent] = items;
  expect(sent).toMatchObject({
    ...{ id: ids[0], isTest: false, label: "Venda paga", nextAttemptAt: null, attempts: 1 },
    outcome: { label: "Entregue", text: null },
  });
  expect(failed).toMatchObject({ id: ids[1], nextAttemptAt: null });
  expect(retried).toMatchObject({ id: ids[2], nextAttemptAt: formatDateTime(NEXT) });
  expect(tested).toMatchObject({ id: ids[3], isTest: true, label: "Venda paga", nextAttemptAt: null });
  expect(items.map(({ open }) => open)).toEqual([null, null, null, null]);
  const opened = async (at: number) =>
    (await show({ entry: ids[at]!, before: "999999999999999" })).items.map(({ open }) => open);
  expect(await opened(0)).toEqual([
    ...[null, null, null],
    {
      ...{ saleId: sale.id, messageId: `msg_${ids[0]!.replaceAll("-", "")}`, answer: "ok", cleared: false },
      attempts: [expect.objectContaining({ text: "Entregue (HTTP 200)", ms: 12 })],
      body: '{\n  "a": [\n    1\n  ]\n}',
    },
  ]);
  expect((await opened(1))[2]).toMatchObject({
    ...{ body: null, cleared: true },
    attempts: [{ text: "O endereço respondeu HTTP 500.", ms: 7 }],
  });
  expect((await show({ before: "999999999999999" })).page).toBe("before=999999999999999");
  expect((await show({ after: "1" })).page).toBe("after=1");
  await expect(show({ before: "9999999999999999" })).rejects.toMatchObject({ kind: "invalid" });
  const stranger = await makeSeller();
  const strange = await loadLog(listedKindOf("webhook"), stranger.id, webhook, new URLSearchParams());
  expect(strange.items).toEqual([]);
});

test("a member area's test has a name of its own in the log, and a page holds 25 deliveries", async () => {
  const seller = await makeSeller();
  const sale = await makeSale(await makeProduct(seller), { status: "completed" });
  const area = await makeMemberArea(seller, "memberkit");
  const page = async (query = {}) => {
    const kind = listedKindOf("memberkit");
    const { items, older } = await loadLog(kind, seller.id, area, new URLSearchParams(query));
    return { labels: items.map(({ label }) => label), older };
  };
  await makeDelivery(seller, area, { event: "access.granted", saleId: sale.id });
  await makeDelivery(seller, area, { event: "access.granted" });
  expect((await page()).labels).toEqual(["Consulta das turmas", "Acesso liberado"]);
  await sql`insert into deliveries (destination_id, seller_id, subject_id, about_id, event, status)
    select ${area}, ${seller.id}, gen_random_uuid(), gen_random_uuid(), 'access.granted', 'sent' from generate_series(1, 24)`;
  const first = await page();
  expect(first.labels).toHaveLength(25);
  expect((await page({ before: String(first.older) })).labels).toEqual(["Acesso liberado"]);
});

test("a program sees what each webhook receives, whether it is paused, and how its last attempt ended", async () => {
  const seller = await makeSeller();
  const product = await makeProduct(seller);
  const attemptedAt = new Date("2026-06-08T14:53:07Z");
  const paused = { stoppedAt: new Date("2026-06-09T10:00:00Z"), stoppedReason: "seller" as const };
  const [older, newer] = [new Date("2026-06-01T10:00:00Z"), new Date("2026-06-02T10:00:00Z")];
  await makeWebhook(seller, { name: "Parado", productIds: [product.id], createdAt: newer, ...paused });
  const running = await makeWebhook(seller, { name: "Ativo", createdAt: older, failingSince: attemptedAt });
  await makeDelivery(seller, running, { attemptedAt });
  const headers = await signedIn(seller);
  const answer = await call(webhooksRoute, "/api/settings/webhooks", { headers });
  expect(await answer.json()).toMatchObject([
    {
      ...{ name: "Parado", scope: "some", products: [product.id], is_active: false },
      ...{ stopped_why: "seller", stopped_at: paused.stoppedAt.toISOString(), failing_since: null },
      ...{ last_tried_at: null, last_status: null },
    },
    {
      ...{ name: "Ativo", scope: "all", products: [], is_active: true },
      ...{ stopped_why: null, stopped_at: null, failing_since: attemptedAt.toISOString() },
      ...{ last_tried_at: attemptedAt.toISOString(), last_status: "refused" },
    },
  ]);
});
