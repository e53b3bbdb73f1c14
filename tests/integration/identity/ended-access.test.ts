import { expect, test } from "vitest";
import * as accessPage from "#app/routes/seller/settings/access.tsx";
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
