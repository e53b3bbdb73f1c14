import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { saveProfile } from "#app/domain/identity/save-profile.server.ts";
import { env } from "#app/platform/env.server.ts";
import * as accessPage from "#app/routes/seller/settings/access.tsx";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import { readFlash } from "#app/server/session/flash.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";

test.each([
  ["a password that stays", { passwordHash: "$argon2id$kept" }, "A senha continua valendo"],
  [
    "the identity provider, whose account loses its password",
    { passwordHash: "$argon2id$ended", oauthSubject: "ended-access" },
    "só pelo provedor de identidade",
  ],
])(
  "after all other access is ended, the seller reads what still opens the account: %s",
  async (_, seller, text) => {
    const headers = await signedIn(await makeSeller(seller));
    const done = await call(accessPage, "/settings/access", {
      ...{ method: "POST", headers },
      body: new URLSearchParams({ intent: "end-access" }),
    });
    const cookie = done.headers
      .getSetCookie()
      .map((line) => line.split(";")[0]!)
      .join("; ");
    const { flash } = await readFlash(new Request("http://localhost:3000/", { headers: { cookie } }));
    expect(flash!.text).toContain(text);
  },
);

/** Presses a button of the page in one of two sessions. @returns what opens the account afterwards */
async function press(intent: string, ways: Parameters<typeof makeSeller>[0]) {
  const seller = await makeSeller(ways);
  await createApiKey(seller.id, { name: "Planilha", scopes: ["read"] });
  const [headers] = [await signedIn(seller), await signedIn(seller)];
  const body = new URLSearchParams({ intent });
  expect((await call(accessPage, "/settings/access", { method: "POST", headers, body })).status).toBe(302);
  const [row] = await sql`select password_hash is not null as password, oauth_subject is not null as identity,
    (select count(*)::int from sessions where seller_id = ${seller.id}) as sessions,
    (select count(*)::int from api_keys where seller_id = ${seller.id} and revoked_at is null) as keys
    from sellers where id = ${seller.id}`;
  return row!;
}

const both = () => ({ passwordHash: "$argon2id$one", oauthSubject: randomUUID() });

test.each([
  ["end-identity", { password: true, identity: false, keys: 1 }],
  ["end-password", { password: false, identity: true, keys: 1 }],
  ["end-access", { password: false, identity: true, keys: 0 }],
  ["end-access-but-password", { password: true, identity: false, keys: 0 }],
])("of password and identity, %s keeps one, and no session but its own", async (intent, kept) => {
  expect(await press(intent, both())).toEqual({ ...kept, sessions: 1 });
  for (const [password, identity] of [
    [true, false],
    [false, true],
  ]) {
    const { passwordHash, oauthSubject } = both();
    const only = { ...(password ? { passwordHash } : {}), ...(identity ? { oauthSubject } : {}) };
    expect(await press(intent, only), "the only way in").toMatchObject({ password, identity });
  }
});

test("a password stays where no identity provider is configured", async () => {
  const { OAUTH_CLIENT_ID } = env;
  onTestFinished(() => void Object.assign(env, { OAUTH_CLIENT_ID }));
  Object.assign(env, { OAUTH_CLIENT_ID: undefined });
  for (const intent of ["end-access", "end-password"])
    expect(await press(intent, both())).toMatchObject({ password: true, identity: true });
});

test.each([
  ["/settings", settings],
  ["/settings/access", accessPage],
] as const)("a mistyped change of e-mail is cancelled by itself at %s", async (path, route) => {
  const seller = await makeSeller();
  const [headers, other] = [await signedIn(seller), await signedIn(seller)];
  const email = `errado-${seller.id}@exemplo.com.br`;
  await saveProfile(seller.id, { name: "Vera", company: "", phone: null, email });
  expect((await findAccount(seller.id)).pendingEmail).toBe(email);
  const body = new URLSearchParams({ intent: "cancel-email-change" });
  const done = await call(route, path, { method: "POST", headers, body });
  expect([302, 303]).toContain(done.status);
  expect(await findAccount(seller.id)).toMatchObject({ pendingEmail: null, email: seller.email });
  // Nothing else was ended.
  expect((await call(settings, "/settings", { headers: other })).status).toBe(200);
});
