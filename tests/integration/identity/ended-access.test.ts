import { expect, test } from "vitest";
import { findAccount } from "#app/domain/identity/find-account.server.ts";
import { saveProfile } from "#app/domain/identity/save-profile.server.ts";
import * as accessPage from "#app/routes/seller/settings/access.tsx";
import * as settings from "#app/routes/seller/settings/settings.tsx";
import { readFlash } from "#app/server/session/flash.server.ts";
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
