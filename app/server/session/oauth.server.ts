import { createCookie } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { OAuth2Strategy } from "remix-auth-oauth2";
import { exchangeCode } from "#app/domain/identity/exchange-code.server.ts";
import { fetchProviderProfile, type ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { env } from "#app/platform/env.server.ts";
import { signaturesOf } from "#app/platform/secrets.server.ts";
import { limitOAuthCodes } from "#app/server/limits/limit-oauth-codes.server.ts";
import { cookieName, SECURE } from "#app/server/session/cookie-name.server.ts";

const STRATEGY = "provider";
const STATE_COOKIE = cookieName("oauth");

/** Whether sign-in with the identity provider is configured, and its name on the button. */
export const identityProvider = {
  configured: Boolean(env.OAUTH_CLIENT_ID),
  label:
    env.OAUTH_ISSUER === "https://accounts.google.com"
      ? "Continuar com Google"
      : "Continuar com o provedor de identidade",
};

type Tokens = OAuth2Strategy.VerifyOptions["tokens"];

/**
 * Exchanges the code with our own request: the library sets Content-Length itself, which the `fetch` that remix-serve
 * installs duplicates and then refuses. This also adds a time limit.
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
 * Starts a sign-in: the address to redirect to, and the cookie with state and verifier (one cookie per attempt).
 * @throws Refusal unavailable if no provider is configured
 */
export async function startOAuth(): Promise<{ redirectUrl: string; cookie: string }> {
  if (!identityProvider.configured)
    throw new Refusal("unavailable", "O login com o provedor de identidade não está configurado");
  try {
    // Without `state` in the address the strategy starts a new attempt and throws its redirect.
    await authenticator.authenticate(STRATEGY, new Request(`${env.APP_URL}/auth/callback`));
  } catch (thrown) {
    if (thrown instanceof Response)
      return { redirectUrl: thrown.headers.get("Location")!, cookie: thrown.headers.get("Set-Cookie")! };
    throw thrown;
  }
  throw new Error("the strategy did not redirect");
}

/**
 * Exchanges the provider's code for the profile, with the verifier from the browser's cookie.
 * @param state from the callback's address; an API client with only the code gets its newest attempt's
 * @throws Refusal too-many: the state's cookie may be sent any number of times, and each time the provider is called
 * @throws Error if anything is wrong: a forged or stale state, a refused code, no answer in time
 */
export async function finishOAuth(
  request: Request,
  code: string,
  state: string | null,
): Promise<ProviderProfile> {
  const known = state ?? newestState(request);
  if (!identityProvider.configured || !known) throw new Error("no sign-in was started in this browser");
  // Without the cookie of an attempt the provider is not called.
  if (request.headers.get("cookie")?.includes(STATE_COOKIE)) limitOAuthCodes(request);
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

/** The return address after the provider's detour. Signed, since it passes through the browser. */
export const returnCookie = createCookie(cookieName("volta"), {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: SECURE,
  maxAge: (10 * MINUTE) / SECOND,
  secrets: signaturesOf("cookie"),
});
