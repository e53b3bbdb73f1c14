import type { IncomingMessage } from "node:http";
import { expect, test, vi } from "vitest";
import { clientIp, clientKey, clientNetwork } from "#app/server/request/client.server.ts";

/** As the server sees it: the socket's address overwrites what was sent; one proxy in front is trusted. */
function request(forwarded: string | null, socket = "192.0.2.1"): Request {
  const headers = new Headers(socket ? { "x-socket-address": socket } : {});
  if (forwarded !== null) headers.set("X-Forwarded-For", forwarded);
  return new Request("http://localhost:3000/", { headers });
}

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["::1", "::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  // A name that some readers of addresses throw at.
  ["fe80::1%br-0a1b.2", "fe80::/64"],
])("the client of %s is %s", (address, client) => {
  expect(clientKey(request(address))).toBe(client);
  expect(clientKey(request(null, address))).toBe(client);
  const sent = { headers: { "x-forwarded-for": address }, socket: { remoteAddress: address } };
  expect(clientNetwork(sent as unknown as IncomingMessage)).toMatch(/\/(24|48)$/);
});

test("the trusted proxy's value counts, not the client's claim", () => {
  expect(clientIp(request("198.51.100.1, 203.0.113.9"))).toBe("203.0.113.9");
  expect(clientIp(request(" 198.51.100.1 ,203.0.113.9 "))).toBe("203.0.113.9");
});

test.each([
  ["203.0.113.9:4711", "203.0.113.9"],
  ["198.51.100.1:80, 203.0.113.9:4711", "203.0.113.9"],
  ["[2001:db8:1:2::3]:443", "2001:db8:1:2::3"],
  ["[2001:db8:1:2::3]", "2001:db8:1:2::3"],
  ['"[2001:db8:1:2::3]:443"', "2001:db8:1:2::3"],
  ["[fe80::1%eth0]:443", "fe80::1"],
  ["[::ffff:203.0.113.9]:443", "203.0.113.9"],
])("a port that the proxy wrote is not part of the address: %s", (forwarded, address) => {
  expect(clientIp(request(forwarded))).toBe(address);
});

test("a proxy that writes no address is told of once", async () => {
  // What was told before is forgotten.
  vi.resetModules();
  const { log } = await import("#app/platform/log.server.ts");
  const { clientIp: clientIpAnew } = await import("#app/server/request/client.server.ts");
  const lines = vi.spyOn(log, "warn");
  for (let i = 0; i < 3; i++) clientIpAnew(request("unknown"));
  expect(lines.mock.calls).toEqual([[expect.stringContaining("TRUSTED_PROXY_HOPS")]]);
  lines.mockRestore();
});

test.each([null, "", ",", "unknown", "203.0.113.9, ", "203.0.113", "0x7f.1", "a".repeat(9000)])(
  "where the proxy wrote no address (%s) the socket's counts",
  (forwarded) => expect(clientIp(request(forwarded))).toBe("192.0.2.1"),
);

test("a request that came by no socket is a client too", () => {
  expect([clientIp(request(null, "")), clientKey(request(null, ""))]).toEqual([null, "none"]);
});
