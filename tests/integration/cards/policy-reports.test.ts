import { expect, test } from "vitest";
import { POLICY_REPORTS_PATH, paths } from "#app/kit/paths.ts";
import { freePort } from "#scripts/ports.ts";
import { cardShop, orderCard } from "#tests/integration/cards/support.ts";
import { scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { startApp } from "#tests/support/app.ts";
import { until } from "#tests/support/until.ts";

const port = await freePort();
const app = await startApp({ worker: 0, env: { METRICS_PORT: String(port) } });

const single = (fields: object) => JSON.stringify({ "csp-report": fields });
const several = (...bodies: object[]) =>
  JSON.stringify(
    bodies.map((body) => ({ type: "csp-violation", age: 1, url: "https://loja.example", body })),
  );

function report(body: string, headers: Record<string, string> = {}) {
  const type = body.startsWith("[") ? "application/reports+json" : "application/csp-report";
  return app.fetch(POLICY_REPORTS_PATH, {
    method: "POST",
    body,
    headers: { "content-type": type, ...headers },
  });
}

const logged = () =>
  app
    .log()
    .filter(({ msg }) => msg === "card page: the policy blocked a source")
    .map(({ directive, blocked }) => ({ directive, blocked }));

async function countOf(directive: string): Promise<number> {
  return (await scrapeMetrics(port)).value("card_policy_reports_total", { directive })!;
}

test("only the card's page asks for reports, by TLS in both ways", async () => {
  const { product } = await cardShop();
  const saleId = await orderCard(product.id);
  const directivesOf = async (of: typeof app, path: string) => {
    const { headers } = await of.fetch(path);
    const policy = headers.get("content-security-policy")!.split("; ");
    return [policy.filter((line) => line.startsWith("report-")), headers.get("reporting-endpoints")];
  };
  const uri = `report-uri ${POLICY_REPORTS_PATH}`;
  expect(await directivesOf(app, paths.card(saleId))).toEqual([[uri], null]);
  for (const path of [paths.checkout({ ...product, checkoutSlug: null }), paths.purchases()])
    expect(await directivesOf(app, path), path).toEqual([[], null]);
  const secure = await startApp({ worker: 0, sandbox: false, env: { APP_URL: "https://localhost:4443" } });
  const endpoints = `csp="${POLICY_REPORTS_PATH}"`;
  expect(await directivesOf(secure, paths.card(saleId))).toEqual([[uri, "report-to csp"], endpoints]);
  await secure.close();
});

test("both kinds of reports are counted and logged: directive and origin, and nothing else of them", async () => {
  const before = logged().length;
  const address = "https://espiao.example/x/y.js?cpf=52998224725#z";
  const first = await report(
    single({
      ...{ "document-uri": "https://loja.example/checkout/cartao/segredo", "blocked-uri": address },
      ...{ "violated-directive": "script-src-elem", "script-sample": "Bia Souza" },
    }),
  );
  expect([first.status, await first.text()]).toEqual([204, ""]);
  await report(
    several(
      { effectiveDirective: "connect-src", blockedURL: "wss://espiao.example/bia" },
      { effectiveDirective: "script-src-elem", blockedURL: "inline", sample: "Bia" },
      { effectiveDirective: "img-src", blockedURL: "chrome-extension://abc/x.png" },
      { effectiveDirective: "bia@exemplo.com.br\n", blockedURL: "Bia Souza mora em Recife" },
      {},
    ),
  );
  await until(() => logged().length >= before + 6);
  expect(logged().slice(before)).toEqual([
    { directive: "script-src-elem", blocked: "https://espiao.example" },
    { directive: "connect-src", blocked: "wss" },
    { directive: "script-src-elem", blocked: "inline" },
    { directive: "img-src", blocked: "chrome-extension" },
    { directive: "other", blocked: "unknown" },
    { directive: "other", blocked: "unknown" },
  ]);
  expect(await countOf("script-src-elem")).toBe(2);
  expect(await countOf("other")).toBe(2);
  expect(await countOf("base-uri")).toBe(0);
});

test("what is no such report is received and counts nothing", async () => {
  const before = logged().length;
  const others = ["", "x", "[]", "{}", "null", '{"csp-report":1}', JSON.stringify([{ type: "deprecation" }])];
  for (const body of [...others, "[".repeat(500)]) expect((await report(body)).status, body).toBe(204);
  expect(logged()).toHaveLength(before);
});

test("a long request, one of another site and one by another method are refused", async () => {
  const before = logged().length;
  expect((await report(single({ "blocked-uri": "x".repeat(40_000) }))).status).toBe(413);
  expect((await report(single({}), { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await app.fetch(POLICY_REPORTS_PATH)).status).toBe(405);
  expect(logged()).toHaveLength(before);
});

test("ten reports of a request count, twenty requests of a client, and sixty lines a minute are logged", async () => {
  const counted = await countOf("frame-src");
  const body = several(...Array.from({ length: 15 }, () => ({ effectiveDirective: "frame-src" })));
  const client = { "x-forwarded-for": "198.51.100.9" };
  const statuses: number[] = [];
  // Twenty a minute; at the change of the minute up to twenty more.
  while (!statuses.includes(429) && statuses.length < 60) statuses.push((await report(body, client)).status);
  const accepted = statuses.filter((status) => status === 204).length;
  expect(statuses).toContain(429);
  expect(await countOf("frame-src")).toBe(counted + accepted * 10);
  expect((await report(body)).status).toBe(204);
  expect(logged().length).toBeLessThanOrEqual(120);
});
