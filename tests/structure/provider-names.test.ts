import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const HOME = "app/domain/gateway/providers";
const NAMES = [...foldersIn(HOME), "stripe"];

/** Files outside its folder that may name a provider: which names, once each, and why. */
const ALLOWED: Record<string, { says: string[]; reason: string }> = {
  "app/kit/paths.ts": { says: ["/api/payments/pushinpay/status/"], reason: "the published address" },
  "app/routes/api/payments/test-webhook-pushinpay.ts": {
    says: ['"pushinpay"'],
    reason: "the published address has no place for another provider",
  },
  "app/platform/env.server.ts": {
    says: [
      'PUSHINPAY_BASE_URL: url().default("https://api.pushinpay.com.br/api")',
      '"PUSHINPAY_BASE_URL"',
      'WOOVI_BASE_URL: url().default("https://api.woovi.com")',
      '"WOOVI_BASE_URL"',
      'MERCADOPAGO_BASE_URL: url().default("https://api.mercadopago.com")',
      '"MERCADOPAGO_BASE_URL"',
      'MERCADOPAGO_SDK_URL: url().default("https://sdk.mercadopago.com/js/v2")',
      '"MERCADOPAGO_SDK_URL"',
      'MERCADOPAGO_FIELDS_ORIGIN: url().default("https://secure-fields.mercadopago.com")',
      '"MERCADOPAGO_FIELDS_ORIGIN"',
    ],
    reason: "the environment is parsed in one place, and a public address refuses the sandbox's",
  },
};

function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|css)$/.test(name))
    .map((name) => join(folder, name));
}

/** How often a text names one of the providers, ignoring case and a blank, hyphen or underscore within. */
function mentions(text: string, name: string): number {
  const plain = text.toLowerCase().replace(/(?<=[a-z])[ _-](?=[a-z])/g, "");
  return plain.split(name).length - 1;
}

function namesIn(text: string): number {
  return NAMES.reduce((sum, name) => sum + mentions(text, name), 0);
}

test("a provider is named in its own folder and where it is registered, nowhere else", () => {
  const named = filesBelow("app")
    .filter((file) => !file.startsWith(`${HOME}/`))
    .filter((file) => {
      const allowed = ALLOWED[file]?.says ?? [];
      const rest = allowed.reduce((text, one) => text.replace(one, ""), readFileSync(file, "utf8"));
      return namesIn(rest) > 0;
    });
  expect(named).toEqual([]);
});

test("each exception is still needed", () => {
  for (const [file, { says }] of Object.entries(ALLOWED))
    for (const one of says) expect(readFileSync(file, "utf8").split(one), `${file}: ${one}`).toHaveLength(2);
});

test("in the providers' folder only the index names a payment provider", () => {
  const named = readdirSync(HOME, { withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name)
    .filter((name) =>
      foldersIn(HOME).some((one) => mentions(readFileSync(join(HOME, name), "utf8"), one) > 0),
    );
  expect(named).toEqual(["index.server.ts"]);
});

test("what the test searches for exists", () => {
  expect(NAMES).toContain("pushinpay");
  for (const text of ["PushInPay", "PUSHIN PAY", "pushinpay_api_key", "Mercado Pago", "stripe-key"])
    expect(namesIn(text), text).toBe(1);
});
