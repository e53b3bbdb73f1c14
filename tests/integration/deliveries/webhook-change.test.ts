import { expect, test } from "vitest";
import { pauseDestination } from "#app/domain/delivery/change-destination.server.ts";
import { HOUR } from "#app/kit/duration.ts";
import * as route from "#app/routes/api/settings/webhooks/one.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { makeWebhook, receiverAt } from "#tests/support/rows/make-webhook.ts";

async function put(seller: { id: string }, id: string, fields: object) {
  const headers = await signedIn(seller);
  const body = { name: "Outro", url: receiverAt("changed"), events: ["sale.paid"], ...fields };
  const options = { method: "PUT", params: { webhookId: id }, headers, body };
  return call(route, `/api/settings/webhooks/${id}`, options);
}

const rowOf = async (id: string) =>
  (await sql`select name, stopped_reason, failing_since from destinations where id = ${id}`)[0]!;

test.each([true, false])(
  "a webhook's fields are saved together with whether it is active (%s), or not at all",
  async (is_active) => {
    const seller = await makeSeller();
    const stopped = is_active ? { stoppedAt: new Date(), stoppedReason: "failing" as const } : {};
    const id = await makeWebhook(seller, { name: "Antes", ...stopped });
    const before = await rowOf(id);
    await sql`alter table destinations add constraint none_for_now
      check ((stopped_at is null) <> ${sql.unsafe(String(is_active))}) not valid`;
    try {
      expect((await put(seller, id, { is_active })).status).toBe(500);
    } finally {
      await sql`alter table destinations drop constraint none_for_now`;
    }
    expect(await rowOf(id)).toEqual(before);
    expect((await put(seller, id, { is_active })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ name: "Outro", stopped_reason: is_active ? null : "seller" });
  },
);

test("a save that says nothing new of being active changes neither a pause nor the pace", async () => {
  const seller = await makeSeller();
  const failingSince = new Date(Date.now() - HOUR);
  const running = await makeWebhook(seller, { name: "changed", failingSince });
  const paused = await makeWebhook(seller, {
    ...{ name: "changed", failingSince, stoppedAt: failingSince, stoppedReason: "token" },
  });
  for (const fields of [{}, { is_active: true }]) {
    await put(seller, running, fields);
    expect(await rowOf(running)).toEqual({
      name: "Outro",
      stopped_reason: null,
      failing_since: failingSince,
    });
  }
  for (const fields of [{}, { is_active: false }]) {
    await put(seller, paused, fields);
    expect(await rowOf(paused)).toEqual({
      ...{ name: "Outro", stopped_reason: "token", failing_since: failingSince },
    });
  }
});

test("what a program read before a pause on the screen does not end that pause", async () => {
  const seller = await makeSeller();
  const id = await makeWebhook(seller, { name: "changed" });
  const headers = await signedIn(seller);
  const read = async () =>
    (await call(route, `/api/settings/webhooks/${id}`, { params: { webhookId: id }, headers })).json();
  const { is_active, version } = await read();
  await pauseDestination("webhook", seller.id, id);
  const paused = await read();
  expect([paused.is_active, paused.version === version]).toEqual([false, false]);
  const late = await put(seller, id, { is_active, version });
  expect([late.status, (await late.json()).code]).toEqual([409, "stale"]);
  expect(await rowOf(id)).toMatchObject({ name: "changed", stopped_reason: "seller" });
  expect((await put(seller, id, { is_active, version: paused.version })).status).toBe(200);
});
