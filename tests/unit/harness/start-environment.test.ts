import { expect, test } from "vitest";
import { sandboxEnvironment } from "#scripts/sandbox-env.ts";
import { isDemo, startEnvironment } from "#scripts/start-environment.ts";

test("without settings the sandbox replaces each outside service, with all of its addresses", () => {
  const started = startEnvironment({});
  expect(started).toMatchObject(sandboxEnvironment(3000, 3001));
  expect(isDemo(started)).toBe(true);
});

test("where one address of a service is set, the sandbox replaces none of it", () => {
  const started = startEnvironment({ MERCADOPAGO_BASE_URL: "https://api.mercadopago.com" });
  expect(Object.keys(started).filter((name) => name.startsWith("MERCADOPAGO"))).toEqual([
    "MERCADOPAGO_BASE_URL",
  ]);
  expect(started.WOOVI_BASE_URL).toBe("http://localhost:3001/woovi");
});
