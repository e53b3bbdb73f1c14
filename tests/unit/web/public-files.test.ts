import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { askOnlyForPublicFiles, type Express } from "#app/web/files/public-files.server.ts";

const load = createRequire(import.meta.url);
const express = createRequire(load.resolve("@remix-run/serve/package.json"))("express");

/** A server of files, and which addresses it asked the disk for. */
async function serving(root: string) {
  const asked: string[] = [];
  const counting: Express = {
    static: (folder, options) => {
      const serve = express.static(folder, options);
      return (request, response, next) => {
        asked.push(request.url!);
        serve(request, response, next);
      };
    },
  };
  askOnlyForPublicFiles(counting);
  const app = express().use(counting.static(root)) as (request: object, response: object) => void;
  const server = createServer((request, response) => app(request, response));
  await once(server.listen(0), "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { asked, url, end: () => server.close() };
}

test("the disk is asked for what is in public, and for no page", async () => {
  const { asked, url, end } = await serving("public");
  const file = readdirSync("public").find((name) => name.endsWith(".svg"))!;
  for (const path of [`/${file}`, `/${file}?v=1`, `/${encodeURIComponent(file).replace(".", "%2E")}`])
    expect((await fetch(url + path)).status, path).toBe(200);
  expect(asked).toHaveLength(3);
  for (const path of ["/", "/checkout/s/violao", "/login", `/x/${file}`, "/?a=/favicon.svg", "/constructor"])
    expect((await fetch(url + path)).status, path).toBe(404);
  expect(asked).toHaveLength(3);
  end();
});

test("another folder is asked for whatever comes", async () => {
  const { asked, url, end } = await serving("docs");
  for (const path of ["/README.md", "/nothing"]) await fetch(url + path);
  expect(asked).toEqual(["/README.md", "/nothing"]);
  end();
});
