import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";

const { url, get, control, view } = await openSandbox();
const typeOf = (answer: Response) => answer.headers.get("content-type");

test.each([
  ["/sdk/js/v2", "window.MercadoPago ="],
  ["/v2/security.js", "window.MP_DEVICE_SESSION_ID ="],
  ["/fields/field.js", "cardField"],
])("%s is a script that no page's policy forbids", async (path, content) => {
  const answer = await get(`/mercadopago${path}`);
  expect([answer.status, typeOf(answer)]).toEqual([200, "text/javascript; charset=utf-8"]);
  const script = await answer.text();
  expect(script).toContain(content);
  expect(() => new Function(script)).not.toThrow();
  for (const forbidden of ["eval(", "Function(", "innerHTML", "insertAdjacentHTML", '"style"'])
    expect(script).not.toContain(forbidden);
});

test("the script can be unavailable", async () => {
  await control("/mercadopago", { hasSdk: false });
  expect((await get("/mercadopago/sdk/js/v2")).status).toBe(503);
  await control("/faults", { service: "mercadopago", route: "security", mode: "http-500" });
  expect((await get("/mercadopago/v2/security.js")).status).toBe(500);
  expect((await view("/calls")).mercadopago).toMatchObject({ sdk: 1, security: 1, fields: 0 });
});

test.each([
  ["cardNumber", "cc-number", "Número do cartão"],
  ["expirationDate", "cc-exp", "Validade"],
  ["securityCode", "cc-csc", "Código de segurança"],
])("%s is a frame with one labelled field, also on the other origin", async (type, autocomplete, label) => {
  const other = url.replace("localhost", "127.0.0.1");
  const answer = await fetch(`${other}/mercadopago/fields/${type}`);
  expect([answer.status, typeOf(answer)]).toEqual([200, "text/html; charset=utf-8"]);
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self'");
  expect(answer.headers.get("x-frame-options")).toBeNull();
  const html = await answer.text();
  for (const attribute of ['inputmode="numeric"', `autocomplete="${autocomplete}"`, `aria-label="${label}"`])
    expect(html.split(attribute)).toHaveLength(2);
  expect(typeOf(await fetch(`${other}/mercadopago/fields/field.css`))).toContain("text/css");
});

test("any page may fetch the fields' host, and there are no other fields", async () => {
  const health = await get("/mercadopago/fields/health", { origin: "http://localhost:3999" });
  expect(health.headers.get("access-control-allow-origin")).toBe("*");
  expect((await get("/mercadopago/fields/cardholderName")).status).toBe(404);
});
