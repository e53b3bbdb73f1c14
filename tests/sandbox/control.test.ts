import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get as httpGet } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "#sandbox/server.ts";
import { APP_URL, openSandbox, TOKEN } from "./open-sandbox.ts";
import { until } from "./webhook-receiver.ts";

const { url, get, charge, control, view, post } = await openSandbox();

const form = (path: string, headers: Record<string, string> = {}, body = "") =>
  fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
  });
const whereTo = (response: Response) => [response.status, response.headers.get("location")];

test("charges are listed, newest last", async () => {
  const first = await charge({ webhook_url: "http://127.0.0.1:9/w" });
  const second = await charge({ value: 500 });
  expect(await view("/transactions")).toMatchObject([
    {
      id: first.id,
      value: 1990,
      status: "created",
      qr_code: first.qr_code,
      webhook_url: "http://127.0.0.1:9/w",
    },
    { id: second.id, value: 500, webhook_url: null, created_at: expect.any(String) },
  ]);
});

test("a form on the shop's page pays and returns there", async () => {
  const { id } = await charge();
  const back = `${APP_URL}/pix/abc`;
  expect(whereTo(await form(`/control/transactions/${id}/pay`, { referer: back }))).toEqual([303, back]);
  expect((await view(`/transactions/${id}`)).status).toBe("paid");
});

test("the return address may be given if the Referer is cut", async () => {
  const { id } = await charge();
  const back = `${APP_URL}/pix/abc?x=1`;
  const path = `/control/transactions/${id}/pay?return=${encodeURIComponent(back)}`;
  expect(whereTo(await form(path, { referer: `${APP_URL}/` }))).toEqual([303, back]);
});

test("nobody is redirected to another origin", async () => {
  const { id } = await charge();
  const elsewhere = "http://localhost:39990/x";
  const path = `/control/transactions/${id}/pay?return=${encodeURIComponent(elsewhere)}`;
  expect(whereTo(await form(path, { referer: elsewhere }))).toEqual([200, null]);
});

test("a form can pay another amount", async () => {
  const { id } = await charge();
  await form(`/control/transactions/${id}/pay`, {}, "value=700");
  expect((await view(`/transactions/${id}`)).value).toBe(700);
});

test("the shop's scripts may call the controls, others may not", async () => {
  const response = await fetch(`${url}/control/transactions`, { method: "OPTIONS" });
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([204, APP_URL]);
});

test("an unknown charge or control is a 404", async () => {
  expect((await post("/control/transactions/9c3d8a5e-0000-4000-8000-000000000001/pay")).status).toBe(404);
  expect((await get("/control/nada")).status).toBe(404);
});

test("a reset clears everything", async () => {
  await charge();
  await control("/faults", { service: "resend", mode: "reset", times: 3 });
  await control("/gate", { enabled: false });
  await control("/identity", { persona: "nova" });
  await control("/reset");
  expect(await view("/transactions")).toEqual([]);
  expect(await view("/faults")).toEqual([]);
  expect((await view("/calls")).pushinpay).toMatchObject({ cashIn: 0, gateRefusals: 0, perTransaction: {} });
});

test("the page lists what happened and escapes foreign text", async () => {
  await charge();
  const mail = { from: "a@sandbox.local", to: "b@x.com", subject: "<script>x</script>", text: "oi" };
  await post("/resend/emails", mail, { authorization: "Bearer re_sandbox-demo" });
  const page = await (await get("/")).text();
  expect(page).toContain("Aguardando pagamento");
  expect(page).toContain(">Pagar</button>");
  expect(page).not.toContain("<script>x");
  expect(await (await get("/healthz")).text()).toBe("ok");
});

test("a browser that requests an icon by itself, on any page, gets one", async () => {
  const icon = await get("/favicon.ico");
  expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
});

test("a body that is too large is refused", async () => {
  const response = await post("/control/faults", { service: "x".repeat(2_000_000) });
  expect(response.status).toBe(413);
});

test("charges survive a restart, and a refund requested before it still happens", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sandbox-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const options = { port: 0, appUrl: APP_URL, dataDir };
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const before = await startSandbox(options);
  const make = async () => {
    const body = '{"value":1990}';
    const made = await fetch(`${before.url}/pushinpay/api/pix/cashIn`, { method: "POST", headers, body });
    return (await made.json()).id as string;
  };
  const [pending, refunded] = [await make(), await make()];
  await fetch(`${before.url}/control/transactions/${refunded}/pay`, { method: "POST" });
  await fetch(`${before.url}/pushinpay/api/transactions/${refunded}/refund`, { method: "POST", headers });
  await before.close();

  const after = await startSandbox(options);
  onTestFinished(() => after.close());
  const paid = await fetch(`${after.url}/control/transactions/${pending}/pay`, { method: "POST" });
  expect((await paid.json()).status).toBe("paid");
  const statusOf = async (id: string) =>
    (await (await fetch(`${after.url}/control/transactions/${id}`)).json()).status;
  await until(async () => (await statusOf(refunded)) === "refunded");
});

test("run directly, it prints its address and stops at once despite an open connection", async () => {
  const child: ChildProcess = spawn("node_modules/.bin/node", ["sandbox/server.ts"], {
    env: { ...process.env, SANDBOX_PORT: "0", APP_URL, DATA_DIR: "" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stderr!.on("data", (chunk) => {
    output += chunk;
  });
  child.stdout!.on("data", (chunk) => {
    output += chunk;
  });
  await once(child.stdout!, "data");
  expect(output).toMatch(/^sandbox pronto em http:\/\/localhost:\d+\n$/);

  const agent = new Agent({ keepAlive: true });
  const request = httpGet(`${output.trim().split(" ").at(-1)}/healthz`, { agent });
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
  const startedAt = Date.now();
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  agent.destroy();
  expect(code).toBe(0);
  // An idle connection is kept for five seconds.
  expect(Date.now() - startedAt).toBeLessThan(4000);
});
