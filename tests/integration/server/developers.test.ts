import { expect, test } from "vitest";
import { startApp } from "#tests/support/app.ts";
import { makeProduct, makeSeller, signedIn } from "#tests/support/make.ts";

const app = await startApp({ worker: 0, sandbox: false });
const get = (headers: Record<string, string> = {}) => app.fetch("/developers", { headers });

test("the guide to the API is rendered once, stored compressed, and not resent to a browser that has it", async () => {
  const first = await get({ "Accept-Encoding": "gzip" });
  const html = await first.text();
  expect([first.status, first.headers.get("content-encoding")]).toEqual([200, "gzip"]);
  expect(html).toContain("API para desenvolvedores");
  const etag = first.headers.get("etag")!;
  const again = await get({ "If-None-Match": etag });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const plain = await get({ "Accept-Encoding": "identity" });
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, html]);
});

test("it shows who is signed in, and the chosen theme", async () => {
  const { Cookie } = await signedIn(await makeSeller());
  const [stranger, seller] = await Promise.all([get(), get({ Cookie })]);
  expect(await stranger.text()).toContain("Começar grátis");
  expect(await seller.text()).not.toContain("Começar grátis");
  expect(stranger.headers.get("cache-control")).toBe("private, max-age=0, must-revalidate");
  expect(stranger.headers.get("vary")).toContain("Cookie");
  const chosen = await app.fetch("/theme", {
    method: "POST",
    body: new URLSearchParams({ theme: "dark", returnTo: "/developers" }),
    headers: { Origin: app.url, "Sec-Fetch-Site": "same-origin" },
  });
  expect(chosen.headers.get("location")).toBe("/developers");
  const theme = chosen.headers.get("set-cookie")!.split(";", 1)[0]!;
  expect(await (await get({ Cookie: theme })).text()).toContain('data-theme="escuro"');
});

test("it says how a change of somebody else's is not overwritten", async () => {
  const html = await (await get()).text();
  expect(html).toContain('href="#versoes"');
  expect(html).toMatch(/Ao mudar ou apagar, mande em <code>If-Match<\/code> o ETag/);
});

test("its document describes the two probes, and a part of a file as bytes", async () => {
  const { paths } = await (await app.fetch("/api/openapi.json")).json();
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/healthz", "/readyz"]));
  const part = paths["/api/uploads/{uploadId}"]?.put ?? paths["/api/uploads/{id}"].put;
  expect(Object.keys(part.requestBody.content)).toEqual(["application/octet-stream"]);
});

test("the API's document and a product's data are stored compressed, too", async () => {
  const product = await makeProduct(await makeSeller());
  for (const path of ["/api/openapi.json", `/api/checkout/products/${product.id}`]) {
    const [compressed, plain] = await Promise.all(
      ["gzip", "identity"].map((encoding) => app.fetch(path, { headers: { "Accept-Encoding": encoding } })),
    );
    expect(compressed!.headers.get("content-encoding"), path).toBe("gzip");
    // Compressed as it is sent, an answer would have no length.
    expect(Number(compressed!.headers.get("content-length")), path).toBeGreaterThan(100);
    expect(plain!.headers.get("content-encoding"), path).toBeNull();
    expect(await compressed!.json(), path).toEqual(await plain!.json());
  }
});
