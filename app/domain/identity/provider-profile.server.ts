import { z } from "zod";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { env } from "#app/platform/env.server.ts";
import { call } from "#app/platform/http.server.ts";

/** An identity provider's user. `subject` never changes; `email` is lowercase and missing if it is not valid. */
export type ProviderProfile = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  pictureUrl: string | null;
};

/** OpenID Connect userinfo; some providers send the boolean as text, and null for what they do not know. */
const userinfo = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.string()]).nullish(),
  name: z.string().nullish(),
  picture: z.string().nullish(),
});

/** Fetches the profile of an access token's user. @throws CallError or Error if the provider gives no usable answer */
export async function fetchProviderProfile(accessToken: string): Promise<ProviderProfile> {
  const answer = await call(env.OAUTH_USERINFO_URL, {
    service: "identity",
    headers: { Authorization: `Bearer ${accessToken}`, Accept: "application/json" },
  });
  if (answer.status !== 200) throw new Error(`userinfo answered ${answer.status}`);
  const claims = userinfo.parse(parseUntrusted(answer.body));
  const email = (claims.email ?? "").trim().toLowerCase();
  return {
    subject: claims.sub,
    email: isMailAddress(email) ? email : null,
    emailVerified: claims.email_verified === true || claims.email_verified === "true",
    name: truncate(cleanLine(claims.name ?? "").trim(), 120) || null,
    pictureUrl: /^https?:\/\//.test(claims.picture ?? "") ? claims.picture!.slice(0, 1000) : null,
  };
}

/** The name to show; the address for users without a name. */
export function displayName({ name }: ProviderProfile, email: string): string {
  return name ?? email.split("@")[0]!;
}
