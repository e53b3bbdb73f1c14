import { randomBytes } from "node:crypto";
import { createServer, request } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { sealBuyer } from "#app/domain/checkout/link/buyer-token.server.ts";
import type { Carrier } from "#app/domain/mail/message/mail-carrier.ts";
import { resendCarrier } from "#app/domain/mail/sending/senders/resend.server.ts";
import { call } from "#app/platform/http.server.ts";
import { forRequest } from "#app/platform/request-id.server.ts";
import { type App, startApp } from "#tests/support/app.ts";
import { describeAnswer } from "#tests/support/clients/page-forms.ts";
import { makeGateway, makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { oneOf } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const routes = await routeTable();
let app: App;
beforeAll(async () => {
  app = await startApp();
});

/** What no log may contain: a text that occurs nowhere else. */
const planted: string[] = [];
function plant(): string {
  const word = `s${randomBytes(9).toString("hex")}`;
  planted.push(word);
  return word;
}

function expectNothingPlanted() {
  const lines = [...app.web, ...app.worker].flatMap((process) => process.lines);
  expect(lines.filter((line) => planted.some((word) => line.includes(word)))).toEqual([]);
}

/** Not logged: proxies ask every second. */
const HEALTH_CHECKS = ["/healthz", "/readyz"];

/** The request log's lines for the requests made. */
function logged(): string[] {
  const lines = app.web[0]!.log().filter((line) => line.msg === "request");
  return lines.map(({ method, route, status }) => `${method} ${route} ${status}`);
}

test("the request log names the route of a request, and nothing of its address", async () => {
  const cookie = await signedIn(await makeSeller());
  // Of the start, and of a file before this one.
  const before = logged().length;
  let asked = 0;
  for (const [nth, { address }] of [...routes, { address: "/no/such/page/:token" }].entries()) {
    const values = Object.fromEntries([...address.matchAll(/:(\w+)/g)].map(([, name]) => [name, plant()]));
    const path = fillAddress(address, values);
    const query = [
      "token",
      "code",
      "state",
      "email",
      "document",
      "assinatura",
      "charge",
      "returnTo",
      "search",
    ]
      .map((name) => `${name}=${plant()}`)
      .join("&");
    const others: [path: string, init: RequestInit][] = [
      ...[cookie, { Referer: `${app.url}/${plant()}`, "User-Agent": plant() }].map(
        (headers): [string, RequestInit] => [`${path}?${query}`, { headers: headers as HeadersInit }],
      ),
      [`${path}.data?${query}`, { headers: cookie }],
      [`${path}?_data=${plant()}`, {}],
      ...["POST", "PUT"].map((method): [string, RequestInit] => [
        `${path}?${query}`,
        { method, body: new URLSearchParams({ intent: plant(), email: plant() }) },
      ]),
    ];
    const isHealthCheck = HEALTH_CHECKS.includes(address);
    const requests = [
      [`${path}?${query}`, {}] as (typeof others)[number],
      ...(isHealthCheck ? [] : oneOf(others, nth)),
    ];
    await Promise.all(requests.map(async ([at, init]) => (await app.fetch(at, init)).body?.cancel()));
    asked += isHealthCheck ? 0 : requests.length;
  }
  await until(() => logged().length >= before + asked, { what: "every request to be told" });
  expectNothingPlanted();
  const lines = logged();
  for (const { address } of routes)
    expect(
      lines.some((line) => line.startsWith(`GET ${address} `)),
      address,
    ).toBe(!HEALTH_CHECKS.includes(address));
  expect(lines).toContainEqual("GET unknown 404");
  const [line] = app.web[0]!.log().filter(({ msg }) => msg === "request");
  expect(line).toMatchObject({
    time: expect.any(String),
    ms: expect.any(Number),
    requestId: expect.stringMatching(/^[0-9a-f]{16}$/),
    client: expect.stringMatching(/\.0\/24$/),
  });
});

test("a proxy's request id is adopted, returned, and passed to its jobs", async () => {
  const seller = await makeSeller();
  await makeGateway(seller);
  const product = await makeProduct(seller);
  const email = "bia@exemplo.com.br";
  const id = `proxy-${randomBytes(8).toString("hex")}`;
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  const answer = await app.fetch(`/checkout/${product.id}`, {
    method: "POST",
    headers: { "X-Request-Id": id },
    body: new URLSearchParams({
      customer_name: "Bia",
      customer_email: email,
      customer_email_confirmation: email,
      customer_phone: "11987654321",
      customer_document: "529.982.247-25",
    }),
  });
  expect(answer.status, describeAnswer({ status: answer.status, html: await answer.text() })).toBe(303);
  expect(answer.headers.get("x-request-id")).toBe(id);
  await until(
    () => app.worker[0]!.log().some(({ msg, requestId }) => msg === "mail not accepted" && requestId === id),
    { what: "the job that mails the PIX to fail under the request's id" },
  );
  // An invalid value under that name is no id: a new one is made.
  const odd = await app.fetch("/login", { headers: { "X-Request-Id": "a b {}" } });
  expect(odd.headers.get("x-request-id")).toMatch(/^[0-9a-f]{16}$/);
});

test("a called service gets the request's id", async () => {
  const seen: unknown[] = [];
  const service = createServer(({ headers }, answer) => {
    seen.push(headers["x-request-id"]);
    answer.end("{}");
  });
  await new Promise<void>((ready) => service.listen(0, "127.0.0.1", ready));
  try {
    const { port } = service.address() as { port: number };
    await forRequest("asked-for-bia", () =>
      call(`http://127.0.0.1:${port}/`, { headers: { Accept: "*/*" } }),
    );
    await call(`http://127.0.0.1:${port}/`);
  } finally {
    service.close();
  }
  expect(seen).toEqual(["asked-for-bia", undefined]);
});

test("Resend gets the id of the request that a mail is sent for", async () => {
  const recipient = "pedida@exemplo.com.br";
  const mail = {
    subject: "Oi",
    html: "<p>Oi</p>",
    text: "Oi",
    from: "Loja <loja@exemplo.com.br>",
    to: recipient,
  };
  const send = (idempotencyKey: string) =>
    resendCarrier("re_sandbox-demo").send({ id: idempotencyKey, idempotencyKey, mail } as Parameters<
      Carrier["send"]
    >[0]);
  await forRequest("mailed-for-bia", () => send("com-pedido"));
  await send("sem-pedido");
  const received = await app.sandbox.emails(recipient);
  expect(received.map(({ headers }) => headers["x-request-id"])).toEqual(["mailed-for-bia", undefined]);
});

test("two requests at once in one process keep their ids apart", async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `at-once-${i}`);
  const answers = await Promise.all(
    ids.map((id) => app.fetch(`/api/products/${id}`, { headers: { "X-Request-Id": id } })),
  );
  expect(answers.map(({ headers }) => headers.get("x-request-id"))).toEqual(ids);
});

test("files and streams are logged too, those that their reader left as aborted", async () => {
  const file = await app.fetch("/favicon.svg", { headers: { "X-Request-Id": "file-request" } });
  await file.arrayBuffer();
  const sale = await makeSale(await makeProduct(await makeSeller()));
  const gone = new AbortController();
  const stream = await app.fetch(`/checkout/pix/${sale.id}/events`, {
    headers: { "X-Request-Id": "stream-request" },
    signal: gone.signal,
  });
  expect(stream.status).toBe(200);
  gone.abort();
  const line = (id: string) =>
    until(() => app.log().find(({ msg, requestId }) => msg === "request" && requestId === id));
  expect(await line("file-request")).toMatchObject({ route: "file", status: 200 });
  expect(await line("stream-request")).toMatchObject({
    route: "/checkout/pix/:saleId/events",
    status: 200,
    aborted: true,
  });
});

test("the web's output has only lines of JSON, whatever address was requested", async () => {
  const { hostname, port, host } = new URL(app.url);
  for (const [path, asked] of [
    [`/reset-password/${plant()}%zz`, host],
    [`/${plant()}/%`, host],
    [`//${plant()}`, host],
    [`/login?token=${plant()}`, "evil example"],
    [`http://${plant()}/`, host],
  ] as const) {
    await new Promise<void>((done, fail) => {
      const asking = request({ hostname, port, path, setHost: false, headers: { Host: asked } }, (answer) => {
        answer.resume().on("end", done);
      });
      asking.on("error", fail).end();
    });
  }
  expectNothingPlanted();
  expect(app.web[0]!.lines.filter((line) => !line.startsWith("{"))).toEqual([]);
});

test("a mistake in an address is no error of ours", async () => {
  for (const path of ["/no/such/page", "/login.data?_routes=none"]) {
    await (await app.fetch(path)).arrayBuffer();
    await (await app.fetch(path, { method: "DELETE" })).arrayBuffer();
  }
  expect(app.web[0]!.log().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("mailed links, webhook addresses, keys and buyers' input stay out of both logs, also when a service fails", async () => {
  const seller = await makeSeller({ email: `${plant()}@exemplo.com.br` });
  const { hookToken } = await makeGateway(seller);
  const product = await makeProduct(seller);
  const locked = await makeSeller();
  await makeGateway(locked, { apiKey: `1|${plant()}` });
  const unpayable = await makeProduct(locked);
  planted.push(hookToken, seller.email);
  for (const mode of ["reset", "http-500"] as const) await app.sandbox.fault({ service: "resend", mode });
  await post("/forgot-password", { email: seller.email });
  const password = plant();
  await post("/register", {
    name: plant(),
    email: `${plant()}@exemplo.com.br`,
    password,
    confirmPassword: password,
  });
  for (const { id } of [unpayable, product]) {
    const email = `${plant()}@exemplo.com.br`;
    await post(`/checkout/${id}?document=${plant()}`, {
      customer_name: plant(),
      customer_email: email,
      customer_email_confirmation: email,
      customer_phone: "11987654321",
      customer_document: "529.982.247-25",
    });
  }
  const buyer = { name: plant(), email: `${plant()}@exemplo.com.br`, phone: "", document: "" };
  for (const late of [false, true]) {
    const token = sealBuyer(product, buyer, new Date(late ? 0 : Date.now() + 60_000));
    planted.push(token);
    await app.fetch(`/checkout/${product.id}?p=${token}`);
    await post(`/checkout/${product.id}?p=${token}`, { customer_name: buyer.name });
  }
  const [made] = await until(async () => {
    const all = await app.sandbox.transactions();
    return all.length > 0 ? all : null;
  });
  planted.push(made!.webhook_url!.split("charge=")[1]!, made!.qr_code);
  await app.sandbox.pay(made!.id);
  // After the failed attempts.
  const mailed = await until(
    async () => {
      const html = (await app.sandbox.emails()).map(({ body }) => body.html ?? "").join("\n");
      const found = html.match(/\/(?:reset-password|confirm-email|thank-you)\/[\w-]+/g) ?? [];
      const kinds = ["reset-password", "confirm-email", "thank-you"];
      return kinds.every((kind) => found.some((link) => link.startsWith(`/${kind}/`))) ? found : null;
    },
    { what: "the mails to leave" },
  );
  let opened = 0;
  for (const link of mailed) {
    const [, kind, secret] = link.split("/");
    // A sale's id is its name in the log; its address also opens the page that signs the downloads.
    if (kind !== "thank-you") planted.push(secret!);
    const page = await (await app.fetch(link)).text();
    for (const [address, signature] of page.matchAll(
      /\/download\/[\w/-]+\?ate=\d+&amp;assinatura=([\w-]+)/g,
    )) {
      planted.push(signature!);
      expect((await app.fetch(address.replace("&amp;", "&"))).status).toBe(302);
      opened++;
    }
  }
  expect(opened).toBeGreaterThan(0);
  expectNothingPlanted();
  expect(app.worker[0]!.log().some(({ msg }) => msg === "mail not accepted")).toBe(true);
  expect(app.web[0]!.log().some(({ msg }) => msg === "pix not created")).toBe(true);
});

async function post(path: string, fields: Record<string, string>) {
  await (await app.fetch(path, { method: "POST", body: new URLSearchParams(fields) })).arrayBuffer();
}
