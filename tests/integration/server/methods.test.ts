import { request } from "node:http";
import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { refused } from "#tests/support/routes/call.ts";
import { fillAddress, routeTable } from "#tests/support/routes/route-table.ts";
import { oneOf } from "#tests/support/run/ways.ts";

const app = await startApp({ worker: 0, sandbox: false });
const routes = await routeTable();
/** Methods that HTTP defines and no route here supports. */
const UNKNOWN = ["TRACE", "PROPFIND", "PURGE"];

type Answer = { status: number; allow: string | undefined; policy: string | undefined; text: string };

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const all = { ...headers, "X-Forwarded-For": newAddress() };
    request(new URL(path, app.url), { method, headers: all }, (response) => {
      const { allow, "content-security-policy": policy } = response.headers;
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (piece: string) => {
          text += piece;
        })
        .on("end", () => done({ status: response.statusCode!, allow, policy: String(policy), text }));
    })
      .on("error", fail)
      .end();
  });
}

test("an unknown method is a 405 on every address, and logs no error", async () => {
  const paths = [...routes.map(({ address }) => fillAddress(address, {})), "/favicon.svg", "/nowhere"];
  expect(paths.length).toBeGreaterThan(100);
  for (const [nth, path] of paths.entries())
    for (const method of oneOf(UNKNOWN, nth)) {
      const answer = await send(method, path);
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 405,
        allow: "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE",
      });
      if (path.startsWith("/api/"))
        expect(JSON.parse(answer.text), `${method} ${path}`).toEqual(refused("Método não aceito"));
      else expect(answer.text, `${method} ${path}`).toBe("Método não aceito");
    }
  const crossSite = { Origin: "https://outra.exemplo.com.br", "Sec-Fetch-Site": "cross-site" };
  expect((await send("TRACE", "/settings", crossSite)).status).toBe(405);
  const elsewhere = await send("PROPFIND", "/api/products", crossSite);
  expect([elsewhere.status, JSON.parse(elsewhere.text)]).toEqual([405, refused("Método não aceito")]);
  const nowhere = await send("PROPFIND", "/api/nowhere");
  expect([nowhere.status, JSON.parse(nowhere.text)]).toEqual([405, refused("Método não aceito")]);
  expect(app.log().filter(({ level }) => Number(level) >= 40)).toEqual([]);
});

test("after it the web process serves the methods it supports", async () => {
  expect((await send("GET", "/login")).status).toBe(200);
  expect((await send("HEAD", "/login")).status).toBe(200);
});
