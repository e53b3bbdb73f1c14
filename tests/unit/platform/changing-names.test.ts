import { execFile, execFileSync } from "node:child_process";
import { Resolver } from "node:dns/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callUntrustedUrl } from "#app/platform/call-untrusted-url.server.ts";
import {
  type AddressRules,
  checkOutgoingAddress,
  isPublicAddress,
} from "#app/platform/outgoing-address.server.ts";
import { startDns } from "#tests/unit/platform/dns-server.ts";
import { CHANGES, LEADS_INSIDE } from "#tests/unit/platform/hostile-names.ts";

let dns: Awaited<ReturnType<typeof startDns>>;
let rules: AddressRules;
let connections = 0;
const inside = createServer((socket) => {
  connections++;
  socket.destroy();
});

beforeAll(async () => {
  dns = await startDns({ ...LEADS_INSIDE, ...CHANGES });
  await new Promise<void>((ready) => inside.listen(0, "::", ready));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${dns.port}`]);
  const found = (family: 4 | 6, answer: Promise<string[]>) =>
    answer.then(
      (all) => all.map((address) => ({ address, family })),
      () => [],
    );
  rules = {
    resolve: async (name) => [
      ...(await found(4, resolver.resolve4(name))),
      ...(await found(6, resolver.resolve6(name))),
    ],
    isPublic: isPublicAddress,
  };
});
afterAll(() => {
  dns.close();
  inside.close();
});

const address = (name: string) => `https://${name}:${(inside.address() as AddressInfo).port}/`;
const call = (name: string) =>
  callUntrustedUrl(address(name), { method: "POST", headers: {}, body: "{}" }, rules);

test.each(Object.keys(LEADS_INSIDE))("%s is neither saved nor called", async (name) => {
  await expect(checkOutgoingAddress(address(name), rules)).rejects.toThrow("forbidden address");
  await expect(call(name)).rejects.toThrow("forbidden address");
  expect(connections).toBe(0);
});

test.each(["muda-ao-chamar.example", "vira-apelido.example"])(
  "%s is saved while it is public, and not called once it leads inside",
  async (name) => {
    await checkOutgoingAddress(address(name), rules);
    for (let nth = 1; nth <= 3; nth++) {
      await expect(call(name)).rejects.toThrow("forbidden address");
      // One lookup for each call: there is no second one with another result.
      expect(dns.looks(name)).toBe(1 + nth);
    }
    expect(connections).toBe(0);
  },
);

/** Whether this machine lets a process have a network of its own, with its own file of name servers. */
function mayHaveNetwork(): boolean {
  try {
    execFileSync("unshare", ["-rmn", "ip", "link", "set", "lo", "up"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test.runIf(mayHaveNetwork())(
  "with the system's own resolver no call of the app goes inside, however the names change between lookups",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "names-"));
    writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\n");
    writeFileSync(join(folder, "nsswitch.conf"), "hosts: files dns\n");
    const begin = [
      `mount --bind ${folder}/resolv.conf /etc/resolv.conf`,
      `mount --bind ${folder}/nsswitch.conf /etc/nsswitch.conf`,
      "ip link set lo up",
      "ip addr add 8.8.8.8/32 dev lo",
      'exec "$0" tests/unit/platform/call-hostile-names.ts',
    ];
    const { NODE_OPTIONS: _, ...env } = process.env;
    try {
      const { stdout } = await promisify(execFile)(
        "unshare",
        ["-rmn", "sh", "-c", begin.join(" && "), process.execPath],
        { env },
      );
      const results = JSON.parse(stdout);
      const refused = { outcome: "ForbiddenAddress", reached: [] };
      // 8.8.8.8 hangs up; it was reached.
      const called = { outcome: "CallError", reached: ["8.8.8.8"] };
      for (const name of Object.keys(LEADS_INSIDE))
        expect(results[name], name).toEqual(["ForbiddenAddress", refused]);
      expect(results["boa.example"]).toEqual(["saved", called]);
      expect(results.direct).toEqual(["127.0.0.1"]);
      expect(results["muda-ao-chamar.example"]).toEqual(["saved", refused, refused, refused]);
      expect(results["muda-depois.example"]).toEqual(["saved", called, refused, refused]);
      expect(results["vira-apelido.example"]).toEqual(["saved", refused, refused, refused]);
      expect(results["alterna.example"]).toEqual(["saved", refused, called, refused]);
      expect(results.together.filter((at: string) => at !== "8.8.8.8")).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
