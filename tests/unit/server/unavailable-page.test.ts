import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { unavailablePage } from "#app/server/pages/unavailable-page.server.ts";

test("the page while the database is away is a 503 that nothing stores, and runs its own script alone", async () => {
  const answer = unavailablePage({ method: "GET", headers: new Headers() });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const [, script] = /<script>(.+)<\/script>/s.exec(await answer.text())!;
  const hash = createHash("sha256").update(script!).digest("base64");
  expect(answer.headers.get("content-security-policy")).toContain(`script-src 'sha256-${hash}';`);
});

test("in place of a form that was sent it does not reload by itself, which would lose what was typed", async () => {
  const text = await unavailablePage({ method: "POST", headers: new Headers() }).text();
  expect(text).not.toMatch(/<script|http-equiv="refresh"|<a /);
  expect(text).toContain("recarregue esta página e confirme o envio");
});
