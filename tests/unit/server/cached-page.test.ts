import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { cacheJson, cachePage, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import { gzippedBody } from "#app/server/response/buffered-response.server.ts";

const RENDERED = { html: "<!doctype html><p>Olá</p>", policy: "default-src 'none'" };
const page = cachePage(RENDERED);
const json = cacheJson({ name: "Curso" });

const get = (headers: Record<string, string>) => new Request("http://localhost:3000/", { headers });

test.each([
  ["a page", page, RENDERED.html],
  ["JSON", json, '{"name":"Curso"}'],
])("%s is answered as it is, with the compressed form beside it", async (_, cached, text) => {
  const answer = sendCachedPage(cached, get({ "Accept-Encoding": "gzip" }));
  expect(gunzipSync(gzippedBody(answer)!).toString()).toBe(text);
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(await answer.text()).toBe(text);
});

test("a browser that has the page gets 304 without a body, one that has another gets it", async () => {
  expect(page.etag).toMatch(/^W\/"[\w-]{22}"$/);
  for (const known of [page.etag, `W/"another", ${page.etag}`]) {
    const answer = sendCachedPage(page, get({ "If-None-Match": known }));
    expect([answer.status, await answer.text()], known).toEqual([304, ""]);
    expect(answer.headers.get("etag")).toBe(page.etag);
  }
  expect(sendCachedPage(page, get({ "If-None-Match": json.etag })).status).toBe(200);
});

test("a page that depends on cookies is stored by its own browser alone", () => {
  expect(page.headers).toMatchObject({
    Vary: "Accept-Encoding",
    "Cache-Control": "public, max-age=0, must-revalidate",
  });
  expect(cachePage(RENDERED, "private").headers).toMatchObject({
    Vary: "Accept-Encoding, Cookie",
    "Cache-Control": "private, max-age=0, must-revalidate",
  });
});
