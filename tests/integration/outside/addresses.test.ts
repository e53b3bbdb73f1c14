import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { type App, startApp } from "#tests/support/app.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ worker: 0, sandbox: false });
});

const JSON_BODY = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

test.each([
  ["a host that is none", "GET /login HTTP/1.1\r\nHost: evil example", 200],
  ["a host with a port of 8 digits", "GET /login HTTP/1.1\r\nHost: a:99999999", 200],
  ["a host with two ports", "GET /login HTTP/1.1\r\nHost: localhost:3000:4000", 200],
  ["a host of an unfinished address", "GET /login HTTP/1.1\r\nHost: [::1", 200],
  ["a host with a number that is no address", "GET /login HTTP/1.1\r\nHost: 1.2.3.4.5", 200],
  ["a host with NUL", "GET /login HTTP/1.1\r\nHost: a%00b", 200],
  ["a host with a name before it", "GET /login HTTP/1.1\r\nHost: a@b", 200],
  ["no host", "GET /login HTTP/1.0", 200],
  ["a forwarded port of 8 digits", "GET /login HTTP/1.1\r\nHost: x\r\nX-Forwarded-Host: a:12345678", 200],
  ["a second forwarded one", "GET /login HTTP/1.1\r\nHost: x\r\nX-Forwarded-Host: a, b:12345678", 200],
  ["a whole address as proxies ask", "GET http://evil.example/login HTTP/1.1\r\nHost: x", 200],
  ["two slashes", "GET //evil.example/login HTTP/1.1\r\nHost: x", 404],
  ["NUL in the path", "GET /checkout/s/%00 HTTP/1.1\r\nHost: x", 404],
  ["bytes that are no UTF-8", "GET /checkout/s/%ED%A0%80 HTTP/1.1\r\nHost: x", 404],
  ["half an escape", "GET /checkout/s/%E0%A4%A HTTP/1.1\r\nHost: x", 404],
  ["a key of every object", "POST /api/webhooks/constructor/x HTTP/1.1\r\nHost: x", 404],
  [
    "a key of every object as reason",
    "GET /login?reason=__proto__&error=constructor HTTP/1.1\r\nHost: x",
    200,
  ],
  ["line breaks in where to go back", "GET /login?returnTo=/%00%0d%0aX-A:b HTTP/1.1\r\nHost: x", 200],
  [
    "an origin that is none",
    `POST /api/sessions HTTP/1.1\r\nHost: x\r\nOrigin: garbage\r\n${JSON_BODY}`,
    403,
  ],
])("%s is no failure of ours", async (_, head, status) => {
  const answer = await send(head);
  expect(answer.status, answer.text).toBe(status);
  expect(answer.text.length).toBeGreaterThan(200);
});

test("nobody is redirected to an address that a header cannot carry", async () => {
  const Cookie = (await signedIn(await makeSeller())).Cookie;
  for (const [path, location] of [
    ["/login?returnTo=/%E6%97%A5%0d%0aX-A:b", "/%E6%97%A5%20X-A:b"],
    ["/login?returnTo=/.//evil.example", "/dashboard"],
    ["/login?returnTo=/%09/evil.example", "/%20/evil.example"],
    ["/reports/sales/%E6%97%A5/refund", "/reports/sales/%E6%97%A5"],
  ] as const) {
    const answer = await send(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${Cookie}`);
    expect([path, answer.status, answer.location]).toEqual([path, 302, location]);
  }
});

type Answer = { status: number; location: string | null; text: string };

/** Sends a request unchanged: `fetch` would normalize it. */
function send(head: string): Promise<Answer> {
  const whole = head.includes("\r\n\r\n") ? head : `${head}\r\n\r\n`;
  const once = whole.replace(" HTTP/1.1\r\n", " HTTP/1.1\r\nConnection: close\r\n");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () => socket.write(once));
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("error", reject);
    socket.on("close", () =>
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
        location: /^location: (.*)\r$/im.exec(text)?.[1] ?? null,
        text,
      }),
    );
  });
}
