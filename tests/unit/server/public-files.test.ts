import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import {
  type Express,
  skipMissingPublicFiles,
} from "#app/server/pipeline/skip-missing-public-files.server.ts";

const load = createRequire(import.meta.url);
const express = createRequire(load.resolve("@remix-run/serve/package.json"))("express");

/** A server of files, and the addresses for which it read the disk. */
async function serving(root: string) {
  const lookups: string[] = [];
  const counting: Express = {
    static: (folder, options) => {
      const serve = express.static(folder, options);
      return (request, response, next) => {
        lookups.push(request.url!);
        serve(request, response, next);
      };
    },
  };
  skipMissingPublicFiles(counting);
  const app = express().use(counting.static(root)) as (request: object, response: object) => void;
  const server = createServer((request, response) => app(request, response));
  await once(server.listen(0), "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { lookups, url, end: () => server.close() };
}

test("the disk is read for files in public, and for no page", async () => {
  const { lookups, url, end } = await serving("public");
  const file = readdirSync("public").find((name) => name.endsWith(".svg"))!;
  for (const path of [`/${file}`, `/${file}?v=1`, `/${encodeURIComponent(file).replace(".", "%2E")}`])
    expect((await fetch(url + path)).status, path).toBe(200);
  expect(lookups).toHaveLength(3);
  for (const path of ["/", "/checkout/s/violao", "/login", `/x/${file}`, "/?a=/favicon.svg", "/constructor"])
    expect((await fetch(url + path)).status, path).toBe(404);
  expect(lookups).toHaveLength(3);
  end();
});

test("another folder is read for every address", async () => {
  const { lookups, url, end } = await serving("docs");
  for (const path of ["/README.md", "/nothing"]) await fetch(url + path);
  expect(lookups).toEqual(["/README.md", "/nothing"]);
  end();
});
