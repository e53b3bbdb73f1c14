import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callUntrustedUrl } from "#app/platform/call-untrusted-url.server.ts";
import { env } from "#app/platform/env.server.ts";
import { call } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";
import { checkOutgoingAddress, isPublicAddress } from "#app/platform/outgoing-address.server.ts";

const hits: string[] = [];
const server = createServer((request, response) => {
  hits.push(`${request.headers.host}${request.url}`);
  if (request.url === "/moved") response.writeHead(302, { location: "/inside" });
  if (request.url === "/utmify/encoding") return response.end(request.headers["accept-encoding"]);
  response.end("x".repeat(request.url === "/big" ? 100_000 : 2));
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

const init = { method: "POST", headers: { "x-api-token": "t" }, body: "{}", timeoutMs: 1500 };
const post = (url: string, rules?: Parameters<typeof callUntrustedUrl>[2]) =>
  callUntrustedUrl(url, init, rules);
const name = (...addresses: string[]) => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  isPublic: isPublicAddress,
});

test.each([
  "127.0.0.1",
  "127.8.8.8",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.2.7",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "2001:0:1::",
  "2001:db8::1",
  "nonsense",
  "",
])("%s is not of the public internet", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "192.0.3.1", "2606:4700::1111", "2804:14c::1"])(
  "%s is of the public internet",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  ["decimal", "https://2130706433/"],
  ["octal", "https://0177.0.0.1/"],
  ["hexadecimal", "https://0x7f.0.0.1/"],
  ["short", "https://127.1/"],
  ["mapped in IPv6", "https://[::ffff:127.0.0.1]/"],
  ["mapped in IPv6, in hexadecimal", "https://[::ffff:a9fe:a9fe]/"],
  ["IPv6 loopback", "https://[::1]/"],
  ["metadata", "https://169.254.169.254/latest/meta-data/"],
  ["full-width digits", "https://１２７.0.0.1/"],
  ["a name of this machine", "https://localhost/"],
  ["a name of this machine with a dot", "https://localhost./"],
  ["plain http", "http://example.com/"],
  ["a password inside", "https://a:b@example.com/"],
  ["another scheme", "file:///etc/passwd"],
  ["no address", "utmify"],
])("an address that is %s is refused before anything is sent", async (_, url) => {
  await expect(post(url)).rejects.toThrow("forbidden address");
});

test("a name that resolves to a private address is refused", async () => {
  await expect(post("https://loja.example/", name("10.0.0.1"))).rejects.toThrow("forbidden address");
  await expect(checkOutgoingAddress("https://loja.example/", name("10.0.0.1"))).rejects.toThrow("forbidden");
});

test("one private address among public ones refuses the name", async () => {
  await expect(post("https://loja.example/", name("8.8.8.8", "::1"))).rejects.toThrow("forbidden address");
});

test("a name that changes its mind is resolved once and the checked address is used", async () => {
  hits.length = 0;
  const answers = ["8.8.8.8", "127.0.0.1", "127.0.0.1"];
  let lookups = 0;
  const rules = {
    resolve: async () => [{ address: answers[lookups++] ?? "127.0.0.1", family: 4 }],
    isPublic: isPublicAddress,
  };
  await expect(post(`https://loja.example:${port}/`, rules)).rejects.toThrow("outgoing call");
  expect([lookups, hits]).toEqual([1, []]);
});

test("the connection goes to the address that was checked, with the typed host name", async () => {
  hits.length = 0;
  const looked: string[] = [];
  const rules = {
    resolve: async (hostname: string) => {
      looked.push(hostname);
      return [{ address: "127.0.0.1", family: 4 }];
    },
    isPublic: () => true,
  };
  // The local server speaks no TLS: that the call fails there, and not before, shows where it went.
  await expect(post(`https://loja.example:${port}/`, rules)).rejects.toMatchObject({
    failure: "network",
    cause: { code: expect.stringMatching(/SSL|EPROTO|ECONNRESET/) },
  });
  expect(looked).toEqual(["loja.example"]);
});

test("the configured address is called although it is of this machine, and nothing beside it", async () => {
  const configured = env.UTMIFY_BASE_URL;
  Object.assign(env, { UTMIFY_BASE_URL: `http://127.0.0.1:${port}/utmify` });
  try {
    expect(await post(`http://127.0.0.1:${port}/utmify/orders`)).toMatchObject({ status: 200, body: "xx" });
    // An answer that came packed could not be read.
    expect(await post(`http://127.0.0.1:${port}/utmify/encoding`)).toMatchObject({ body: "identity" });
    await expect(post(`http://127.0.0.1:${port}/control/reset`)).rejects.toThrow("forbidden");
    await expect(post(`http://127.0.0.1:${port}/utmify/../control`)).rejects.toThrow("forbidden");
    await expect(post(`http://127.0.0.1:${port}/utmify-other`)).rejects.toThrow("forbidden");
  } finally {
    Object.assign(env, { UTMIFY_BASE_URL: configured });
  }
});

test("a redirect is an answer, not a way inside, and a long answer is cut off", async () => {
  const configured = env.UTMIFY_BASE_URL;
  Object.assign(env, { UTMIFY_BASE_URL: `http://127.0.0.1:${port}` });
  hits.length = 0;
  try {
    expect(await post(`http://127.0.0.1:${port}/moved`)).toMatchObject({ status: 302 });
    expect(hits).toHaveLength(1);
    await expect(post(`http://127.0.0.1:${port}/big`)).rejects.toMatchObject({ failure: "too-large" });
  } finally {
    Object.assign(env, { UTMIFY_BASE_URL: configured });
  }
});

test("the log says once a minute why a service gave no answer, and nothing about sellers' own addresses", async () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  const unknown = () =>
    call("https://nao-existe.invalid/", { service: "woovi" }).catch((error: Error) => error);
  await Promise.all([
    unknown(),
    unknown(),
    call(`https://127.0.0.1:${port}/`, { service: "woovi" }).catch(() => {}),
  ]);
  await callUntrustedUrl("https://nao-existe.invalid/", { ...init, service: "webhook" }).catch(() => {});
  const lines = warn.mock.calls as unknown as [{ service: string; reason: string }, string][];
  warn.mockRestore();
  expect(lines.map(([, text]) => text)).toEqual(Array(2).fill("no answer from an outside service"));
  expect(lines.map(([{ reason }]) => reason).sort()).toEqual([
    expect.stringMatching(/^(EAI_AGAIN|ENOTFOUND)$/),
    expect.stringMatching(/SSL|EPROTO|ECONNRESET/),
  ]);
});
