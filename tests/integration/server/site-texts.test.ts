import { expect, test } from "vitest";
import { CLICKS_COOKIE } from "#app/kit/ads/click-ids.ts";
import { startApp } from "#tests/support/app.ts";

const app = await startApp({ web: 1, worker: 0 });

const textOf = async (path: string) => (await (await app.fetch(path)).text()).replace(/<!-- -->/g, "");

test("the first page says that cards are taken, and promises nothing for later", async () => {
  const html = await textOf("/");
  expect(html).toContain("PIX e cartão");
  expect(html).not.toMatch(/em breve|boleto/i);
});

test("terms and privacy policy name cards, and the cookie of ad clicks", async () => {
  expect(await textOf("/terms")).toContain("cobrança por PIX ou cartão");
  const privacy = await textOf("/privacy");
  expect(privacy).toContain("processa o PIX ou o cartão");
  expect(privacy).toContain(`um cookie (“${CLICKS_COOKIE}”)`);
});
