import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";

const { url, control, view } = await openSandbox();
const post = (name: string, body: string) =>
  fetch(`${url}/receiver/${name}?x=1`, {
    method: "POST",
    body,
    headers: { "webhook-id": "m" },
    redirect: "manual",
  });

test("a webhook is stored unchanged, by the name of its address", async () => {
  expect((await post("one", '{"a": "á"}')).status).toBe(200);
  await post("two", "x");
  expect(await view("/receiver?name=one")).toMatchObject([
    { name: "one", url: "/receiver/one?x=1", body: '{"a": "á"}', headers: { "webhook-id": "m" } },
  ]);
  expect(await view("/receiver")).toHaveLength(2);
  const page = await (await fetch(url)).text();
  expect(page).toContain("/receiver/two?x=1");
});

test("faults set what one address answers, and failed ones are stored all the same", async () => {
  await control("/faults", { service: "receiver", route: "bad", mode: "status-410", times: 1 });
  await control("/faults", { service: "receiver", route: "moved", mode: "status-302", times: 1 });
  expect((await post("good", "x")).status).toBe(200);
  expect((await post("bad", "x")).status).toBe(410);
  expect((await post("bad", "x")).status).toBe(200);
  const moved = await post("moved", "x");
  expect([moved.status, moved.headers.get("location")]).toEqual([302, "/receiver/elsewhere"]);
  expect(await view("/receiver?name=bad")).toHaveLength(2);
});
