import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");
const schema = /const schema = z\.object\(\{\n([\s\S]*?)\n\}\);/.exec(
  read("app/platform/env.server.ts"),
)![1]!;
const settings = [...schema.matchAll(/^ {2}([A-Z\d_]+):/gm)].map(([, name]) => name!);
const compose = read("compose.yaml");

test("docs/settings.md lists every setting", () => {
  expect(settings.length).toBeGreaterThan(30);
  const page = read("docs/settings.md");
  // Set by the image and `npm start`; nobody else has a reason to set it.
  expect(settings.filter((name) => !page.includes(`\`${name}\``))).toEqual(["NODE_ENV"]);
});

test("compose passes every setting", () => {
  // The first three are the image's; the sandbox is for one's own machine.
  expect(settings.filter((name) => !new RegExp(`^ {4}${name}: `, "m").test(compose))).toEqual([
    "NODE_ENV",
    "PORT",
    "HOST",
    "SANDBOX_PORT",
  ]);
});

test("the variables that compose reads from .env are in .env.example", () => {
  const used = new Set([...compose.matchAll(/\$\{([A-Z\d_]+)/g)].map(([, name]) => name!));
  const offered = [...read(".env.example").matchAll(/^([A-Z\d_]+)=/gm)].map(([, name]) => name!);
  expect(offered.sort()).toEqual([...used].sort());
});

test("Caddy reads nothing that compose does not pass it, and believes a CDN's addresses as it is shipped", () => {
  const caddyfile = read("Caddyfile");
  const used = [...caddyfile.matchAll(/\{\$([A-Z\d_]+)/g)].map(([, name]) => name!);
  expect(used.filter((name) => !compose.includes(`\n      ${name}: \${${name}`))).toEqual([]);
  expect(caddyfile).toContain("trusted_proxies {$CDN_ADDRESSES:");
  // The check of upgrades counts clients behind two hops with the shipped file: it adds no such line of its own.
  expect(read("scripts/rolling-check.ts")).not.toContain("trusted_proxies");
});

test("Caddy is told how many unused connections it keeps to a web, where it is told for how long", () => {
  // Otherwise most versions keep two, and under load nearly every request opens one.
  expect(read("Caddyfile")).toMatch(
    /^\t+keepalive \d+s\n(?:\t+#.*\n)?\t+keepalive_idle_conns_per_host \d+$/m,
  );
});
