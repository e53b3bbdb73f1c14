import { z } from "zod";
import { cleanLine } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { parseOutside } from "#app/kit/outside-json.ts";
import { env } from "#app/platform/env.server.ts";
import { call } from "#app/platform/http.server.ts";

/** Who the identity provider says somebody is. `subject` never changes; `email` is lowercase and may be missing, as where it is none. */
export type ProviderProfile = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  pictureUrl: string | null;
};

/** OpenID Connect userinfo (contracts 5.1); some providers write the boolean as text. */
const userinfo = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
});

/** Asks the provider who an access token belongs to. @throws CallError or Error where it gives no usable answer */
export async function fetchProviderProfile(accessToken: string): Promise<ProviderProfile> {
  const answer = await call(env.OAUTH_USERINFO_URL, {
    service: "identity",
    headers: { Authorization: `Bearer ${accessToken}`, Accept: "application/json" },
  });
  if (answer.status !== 200) throw new Error(`userinfo answered ${answer.status}`);
  const claims = userinfo.parse(parseOutside(answer.body));
  const email = (claims.email ?? "").trim().toLowerCase();
  return {
    subject: claims.sub,
    email: isMailAddress(email) ? email : null,
    emailVerified: claims.email_verified === true || claims.email_verified === "true",
    name:
      cleanLine(claims.name ?? "")
        .trim()
        .slice(0, 120)
        .toWellFormed() || null,
    pictureUrl: /^https?:\/\//.test(claims.picture ?? "") ? claims.picture!.slice(0, 1000) : null,
  };
}

/** What to call them: people without a name by their address. */
export function nameOf({ name }: ProviderProfile, email: string): string {
  return name ?? email.split("@")[0]!;
}
