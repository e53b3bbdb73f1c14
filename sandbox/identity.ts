import { generateKeyPairSync, randomBytes } from "node:crypto";
import express, { type RequestHandler } from "express";
import { interactionPolicy, type OidcContext, Provider } from "oidc-provider";
import type { Faults } from "./faults.ts";
import { escapeHtml, htmlPage } from "./html.ts";
import { createIdentityStorage } from "./identity-storage.ts";
import { type IdentitySettings, PERSONAS, personaOfHint } from "./personas.ts";

const CLIENT_ID = "checkintelli-sandbox";
const CLIENT_SECRET = "checkintelli-sandbox-secret";

const SESSION_COOKIE = "sandbox_session";

interface Parts {
  /** The sandbox's own address; the issuer is `${url}/identity`. */
  url: string;
  appUrl: string;
  faults: Faults;
  settings: IdentitySettings;
}

/**
 * `/identity`: a certified OpenID provider with a page for choosing a persona, in place of Google. `/auth`, `/token`,
 * `/me`, `/jwks`, `/.well-known/openid-configuration`; PKCE S256 is required, and there is no consent page.
 */
export function identityRoutes({ url, appUrl, faults, settings }: Parts) {
  const storage = createIdentityStorage();
  const provider = new Provider(`${url}/identity`, configuration(appUrl, storage.Adapter));
  const router = express.Router();
  router.use(countAndFail(faults));
  router.use("/auth", clearEarlierSignIn);
  router.get("/interaction/:uid", choosePersona(provider, settings));
  router.post(
    "/interaction/:uid",
    express.urlencoded({ extended: false, limit: "4kb" }),
    answerChoice(provider),
  );
  router.use(provider.callback());
  return { router, reset: storage.clear };
}

const ROUTE_NAMES: Record<string, string> = {
  "/.well-known/openid-configuration": "discovery",
  "/jwks": "jwks",
};

function countAndFail(faults: Faults): RequestHandler {
  return (request, response, next) => {
    // `/auth/<uid>` resumes an authorization after the choice: it is part of the same call.
    const first = request.path.split("/")[1] ?? "";
    const route =
      ROUTE_NAMES[request.path] ?? (request.path === "/auth" || first !== "auth" ? first : "resume");
    faults.arrive("identity", route)(request, response, next);
  };
}

/**
 * A session from an earlier sign-in would skip the choice, and choosing another persona would need a sign-out first; so
 * each authorization starts without the earlier session's cookies.
 */
const clearEarlierSignIn: RequestHandler = (request, _response, next) => {
  const cookies = (request.headers.cookie ?? "").split("; ");
  request.headers.cookie = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE)).join("; ");
  next();
};

function configuration(appUrl: string, adapter: object) {
  const minutes = 60;
  return {
    adapter,
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${appUrl}/auth/callback`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        // Basic here means Basic or body: the provider accepts both from a client with a secret.
        token_endpoint_auth_method: "client_secret_basic",
        subject_type: "pairwise",
      },
    ],
    scopes: ["openid", "email", "profile"],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name", "picture"],
    },
    // As with Google, the id_token contains the claims too.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    jwks: { keys: [newSigningKey()] },
    cookies: {
      keys: [randomBytes(32).toString("hex")],
      // Cookies are shared between ports: separate names and a path avoid conflicts with the shop's on the same host.
      names: { session: SESSION_COOKIE, interaction: "sandbox_interaction", resume: "sandbox_resume" },
      long: { path: "/identity" },
    },
    ttl: {
      AccessToken: 60 * minutes,
      AuthorizationCode: minutes,
      Grant: 60 * minutes,
      IdToken: 60 * minutes,
      Interaction: 30 * minutes,
      Session: 60 * minutes,
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: {
      url: (_context: OidcContext, interaction: { uid: string }) =>
        `/identity/interaction/${interaction.uid}`,
      policy: withoutConsent(),
    },
    // The account is the persona; its `sub` is separate, since two personas share one.
    subjectTypes: ["pairwise"],
    pairwiseIdentifier: (_context: OidcContext, key: string) => PERSONAS[key]?.claims.sub,
    findAccount: (_context: OidcContext, key: string) => accountOf(key),
    loadExistingGrant: grantEverything,
    renderError(context: OidcContext, error: { error: string; error_description?: string }) {
      context.type = "html";
      context.body = htmlPage(
        "Erro de identificação",
        `<h1>Erro de identificação</h1><p><code>${escapeHtml(error.error)}</code>: ${escapeHtml(error.error_description)}</p>`,
      );
    },
  };
}

function newSigningKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "sandbox" };
}

/** Grants the requested scopes: every persona consents. */
function withoutConsent() {
  const policy = interactionPolicy.base();
  policy.remove("consent");
  return policy;
}

function accountOf(key: string) {
  const persona = PERSONAS[key];
  return persona && { accountId: key, claims: () => persona.claims };
}

async function grantEverything({ oidc }: OidcContext) {
  const clientId = oidc.client?.clientId;
  const accountId = oidc.session?.accountId;
  if (!clientId || !accountId) return undefined;
  const grant = new oidc.provider.Grant({ clientId, accountId });
  grant.addOIDCScope("openid email profile");
  await grant.save();
  return grant;
}

/** Shows the choice, or makes it at once if a control or a `login_hint` already did. */
function choosePersona(provider: Provider, settings: IdentitySettings): RequestHandler {
  return async (request, response, next) => {
    try {
      const { params } = await provider.interactionDetails(request, response);
      const chosen = settings.persona ?? personaOfHint(params.login_hint);
      if (settings.deny || chosen)
        return await provider.interactionFinished(
          request,
          response,
          resultOf(settings.deny ? undefined : chosen),
        );
      response.set("cache-control", "no-store").type("html").send(personaPage());
    } catch (error) {
      next(error);
    }
  };
}

function answerChoice(provider: Provider): RequestHandler {
  return async (request, response, next) => {
    try {
      const chosen = String(request.body.persona ?? "");
      await provider.interactionFinished(
        request,
        response,
        resultOf(Object.hasOwn(PERSONAS, chosen) ? chosen : undefined),
      );
    } catch (error) {
      next(error);
    }
  };
}

function resultOf(persona: string | undefined) {
  if (persona) return { login: { accountId: persona, remember: false } };
  return { error: "access_denied", error_description: "End-User aborted interaction" };
}

function personaPage() {
  const buttons = Object.entries(PERSONAS).map(
    ([key, { label }]) =>
      `<button type="submit" name="persona" value="${escapeHtml(key)}">${escapeHtml(label)}</button>`,
  );
  return htmlPage(
    "Escolha uma conta",
    `<main class="personas"><h1>Escolha uma conta</h1>
<p>Este é o provedor de identidade de teste. Nenhuma conta aqui é real.</p>
<form method="post">${buttons.join("\n")}
<button type="submit" name="persona" value="">Recusar</button></form></main>`,
  );
}
