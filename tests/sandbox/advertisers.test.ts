import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";

const { post, view, url } = await openSandbox();

const HASH = "3a4dbb6a4c7f91428b57fb95a496f292c4f93e2d2ad714aa310eeb3fe9852208";
const now = () => Math.floor(Date.now() / 1000);

const metaEvent = (more: object = {}) => ({
  event_name: "Purchase",
  event_time: now(),
  event_id: "purchase.1",
  action_source: "website",
  event_source_url: "https://loja.com.br/checkout/1",
  user_data: { em: [HASH], client_user_agent: "Mozilla/5.0" },
  custom_data: { currency: "BRL", value: 19.9 },
  ...more,
});
const toMeta = async (data: object[], access_token = "sandbox-1") => {
  const answer = await post("/meta/v24.0/123/events", { data, access_token });
  return { status: answer.status, body: await answer.json() };
};

test("Meta counts an event once, by its name and id", async () => {
  expect(await toMeta([metaEvent()])).toMatchObject({ status: 200, body: { events_received: 1 } });
  await toMeta([metaEvent()]);
  expect(await view("/conversions?service=meta")).toMatchObject([{ counted: true }, { counted: false }]);
  expect(await (await fetch(url)).text()).toContain("purchase.1");
});

test.each([
  [
    "an old event, with all that came beside it",
    [metaEvent(), metaEvent({ event_time: now() - 8 * 86_400 })],
  ],
  ["what was not hashed", [metaEvent({ user_data: { em: ["a@b.co"], client_user_agent: "x" } })]],
  ["a purchase without its currency", [metaEvent({ custom_data: { value: 1 } })]],
  ["an odd currency", [metaEvent({ custom_data: { value: 1, currency: "reais" } })]],
  ["a website without a browser", [metaEvent({ user_data: { em: [HASH] } })]],
])("Meta refuses %s", async (_, data) => {
  expect(await toMeta(data)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  expect(await view("/conversions")).toEqual([]);
});

test("Meta and TikTok refuse an unknown token, TikTok with a 200", async () => {
  expect(await toMeta([metaEvent()], "x")).toMatchObject({ body: { error: { code: 190 } } });
  const answer = await post("/tiktok/open_api/v1.3/event/track/", {}, { "access-token": "x" });
  expect([answer.status, (await answer.json()).code]).toEqual([200, 40105]);
});

test("TikTok answers 200 to what it refuses, and counts a duplicate once", async () => {
  const event = { event: "CompletePayment", event_time: now(), event_id: "1", user: { email: [HASH] } };
  const send = async (properties: object) => {
    const body = { event_source: "web", event_source_id: "C4", data: [{ ...event, properties }] };
    return (await post("/tiktok/open_api/v1.3/event/track/", body, { "access-token": "sandbox" })).json();
  };
  expect(await send({ currency: "reais", value: 1 })).toMatchObject({ code: 40002 });
  for (const _ of [1, 2]) expect(await send({ currency: "BRL", value: 1 })).toMatchObject({ code: 0 });
  expect(await view("/conversions")).toMatchObject([{ counted: true }, { counted: false }]);
});

test("GA4 answers 204 to everything and accepts valid events; its debug endpoint validates and accepts nothing", async () => {
  const query = "mp/collect?measurement_id=G-1234&api_secret=sandbox-1";
  const right = { client_id: "1.2", events: [{ name: "purchase", params: { transaction_id: "1" } }] };
  expect((await post(`/ga4/${query}`, {})).status).toBe(204);
  expect((await post(`/ga4/${query}`, right)).status).toBe(204);
  expect(await view("/conversions")).toHaveLength(1);
  const judged = async (body: object) => (await post(`/ga4/debug/${query}`, body)).json();
  expect(await judged(right)).toEqual({ validationMessages: [] });
  expect((await judged({ ...right, client_id: "" })).validationMessages).toHaveLength(1);
  expect(await view("/conversions")).toHaveLength(1);
});

test("Kwai accepts an event with its click, and counts each duplicate", async () => {
  const event = {
    ...{
      access_token: "sandbox",
      clickid: "k",
      event_name: "EVENT_PURCHASE",
      is_attributed: 1,
      pixelId: "1",
    },
    ...{ properties: "{}", trackFlag: false },
  };
  const send = async (body: object) => (await post("/kwai/log/common/api", body)).json();
  expect((await send({ ...event, clickid: "" })).result).not.toBe(1);
  for (const _ of [1, 2]) expect(await send(event)).toEqual({ result: 1 });
  expect(await view("/conversions")).toMatchObject([{ counted: true }, { counted: true }]);
});
