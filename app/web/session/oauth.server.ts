import { createCookie } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { OAuth2Strategy } from "remix-auth-oauth2";
import { exchangeCode } from "#app/domain/identity/exchange-code.server.ts";
import { fetchProviderProfile, type ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";
import { cookieName, SECURE } from "#app/web/session/cookie-name.server.ts";

const STRATEGY = "provider";
const STATE_COOKIE = cookieName("oauth");

/** Whether sign-in with the identity provider is set up; what the button calls it. */
export const provider = {
  configured: Boolean(env.OAUTH_CLIENT_ID),
  label:
    env.OAUTH_ISSUER === "https://accounts.google.com"
      ? "Continuar com Google"
      : "Continuar com o provedor de identidade",
};

type Tokens = OAuth2Strategy.VerifyOptions["tokens"];

/**
 * The library sets Content-Length itself, which the `fetch` that remix-serve installs doubles and then refuses; so the
 * exchange is ours. It also knows a time limit this way.
 */
class ProviderStrategy extends OAuth2Strategy<ProviderProfile> {
  protected override async validateAuthorizationCode(code: string, codeVerifier: string): Promise<Tokens> {
    const accessToken = await exchangeCode({
      code,
      codeVerifier,
      redirectUri: String(this.options.redirectURI),
    });
    return { accessToken: () => accessToken } as Tokens;
  }
}

const authenticator = new Authenticator<ProviderProfile>();
if (env.OAUTH_CLIENT_ID) {
  authenticator.use(
    new ProviderStrategy(
      {
        clientId: env.OAUTH_CLIENT_ID,
        clientSecret: env.OAUTH_CLIENT_SECRET ?? null,
        authorizationEndpoint: env.OAUTH_AUTHORIZATION_URL,
        tokenEndpoint: env.OAUTH_TOKEN_URL,
        redirectURI: `${env.APP_URL}/auth/callback`,
        scopes: ["openid", "email", "profile"],
        cookie: {
          name: STATE_COOKIE,
          path: "/",
          httpOnly: true,
          sameSite: "Lax",
          ...(SECURE ? { secure: true } : {}),
          maxAge: (10 * MINUTE) / SECOND,
        },
      },
      ({ tokens }) => fetchProviderProfile(tokens.accessToken()),
    ),
    STRATEGY,
  );
}

/**
 * Starts a sign-in: where the browser goes, and the cookie that keeps state and verifier (one cookie an attempt).
 * @throws Refusal unavailable where no provider is set up
 */
export async function startOAuth(): Promise<{ redirectUrl: string; cookie: string }> {
  if (!provider.configured)
    throw new Refusal("unavailable", "O login com o provedor de identidade não está configurado");
  try {
    // Without `state` in the address the strategy starts anew and throws its redirect.
    await authenticator.authenticate(STRATEGY, new Request(`${env.APP_URL}/auth/callback`));
  } catch (thrown) {
    if (thrown instanceof Response)
      return { redirectUrl: thrown.headers.get("Location")!, cookie: thrown.headers.get("Set-Cookie")! };
    throw thrown;
  }
  throw new Error("the strategy did not redirect");
}

/**
 * Exchanges the provider's code for the profile behind it, with the verifier from the browser's cookie.
 * @param state from the callback's address; an API client that has only the code gets its newest attempt's
 * @throws Error where anything about it is wrong: a forged or stale state, a refused code, no answer in time
 */
export async function finishOAuth(
  request: Request,
  code: string,
  state: string | null,
): Promise<ProviderProfile> {
  const known = state ?? newestState(request);
  if (!provider.configured || !known) throw new Error("no sign-in was started in this browser");
  const url = new URL(`${env.APP_URL}/auth/callback`);
  url.searchParams.set("code", code);
  url.searchParams.set("state", known);
  return authenticator.authenticate(
    STRATEGY,
    new Request(url, { headers: { Cookie: request.headers.get("cookie") ?? "" } }),
  );
}

/** Browsers send cookies oldest first. */
function newestState(request: Request): string | null {
  const attempts = (request.headers.get("cookie") ?? "")
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(`${STATE_COOKIE}:`) || pair.startsWith(`${STATE_COOKIE}%3A`));
  const value = attempts.at(-1)?.split("=").slice(1).join("=");
  return value ? new URLSearchParams(decodeURIComponent(value.replaceAll('"', ""))).get("state") : null;
}

/** Where to go after the provider's detour. Signed, since it comes back through the browser. */
export const returnCookie = createCookie(cookieName("volta"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: (10 * MINUTE) / SECOND,
  secrets: signaturesOf("cookie"),
});
