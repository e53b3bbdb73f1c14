import { expect, test } from "vitest";
import { saveResendKey } from "#app/domain/mail/resend/save-resend-key.server.ts";
import { createDomain } from "#app/domain/mail/sending-domain/create-domain.server.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { domainVersion } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import * as domainApi from "#app/routes/api/email/domain.ts";
import * as gatewaysApi from "#app/routes/api/settings/gateways.ts";
import * as email from "#app/routes/seller/settings/email/email.tsx";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import { ATTEMPTS } from "#app/server/limits/limits.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { startApp } from "#tests/support/app.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

const app = await startApp({ web: 0, worker: 0 });

const resendCalls = async () => (await app.sandbox.calls()).resend;
const newKey = () => `re_sandbox_${crypto.randomUUID()}`;

/** Each door to Resend: its route, and what is posted; a page's as a form. */
const DOORS: [string, object, string, () => Record<string, string>][] = [
  ["the template's key", email, "/settings/email", () => ({ intent: "save", resend_api_key: newKey() })],
  [
    "the domain's creation",
    email,
    "/settings/email?tab=domain",
    () => ({ intent: "create-domain", domain_name: "exemplo.com.br" }),
  ],
  ["the domain's check", email, "/settings/email?tab=domain", () => ({ intent: "verify-domain" })],
  [
    "the settings' key",
    settings,
    "/settings?tab=gateways",
    () => ({ intent: "resend-key", resend_api_key: newKey() }),
  ],
  ["a program's domain", domainApi, "/api/email/domain", () => ({ domain_name: "exemplo.com.br" })],
  ["a program's key", gatewaysApi, "/api/settings/gateways", () => ({ resend_api_key: newKey() })],
];

async function post(module: object, path: string, fields: Record<string, string>, headers: object) {
  const body = path.startsWith("/api/") ? fields : new URLSearchParams(fields);
  return (await call(module, path, { method: "POST", headers: { ...headers }, body })).status;
}

test.each(DOORS)(
  "%s asks Resend as often as the limit of outside calls says",
  async (_, module, path, fields) => {
    const seller = await makeSeller();
    await saveResendKey(seller.id, newKey());
    await createDomain(seller.id, "antes.com.br");
    const headers = await signedIn(seller);
    const version = domainVersion(await findDomain(seller.id));
    const typed = () => (path.includes("tab=domain") ? { ...fields(), version } : fields());
    const [limit] = ATTEMPTS["outside-call"].target;
    for (let count = 1; count < limit; count++) {
      const headers = { "X-Forwarded-For": newAddress() };
      await throttle("outside-call", new Request("http://localhost:3000", { headers }), seller.id);
    }
    const before = await resendCalls();
    expect(await post(module, path, typed(), headers)).not.toBe(429);
    const asked = await resendCalls();
    expect(asked).not.toEqual(before);
    expect(await post(module, path, typed(), headers)).toBe(429);
    expect(await resendCalls()).toEqual(asked);
  },
);

test("what asks Resend nothing does not count", async () => {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  const [limit] = ATTEMPTS["outside-call"].target;
  const before = await resendCalls();
  for (let count = 0; count <= limit; count++) {
    const fields = { intent: "resend-key", resend_api_key: "••••••••1234" };
    expect(await post(settings, "/settings?tab=gateways", fields, headers)).not.toBe(429);
    expect(await post(email, "/settings/email", { intent: "verify-domain" }, headers)).not.toBe(429);
  }
  expect(await resendCalls()).toEqual(before);
});
