import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { APP_URL, openSandbox } from "./open-sandbox.ts";

const { url, get, control, view } = await openSandbox();
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT_URI = `${APP_URL}/auth/callback`;

/** A minimal browser: it stores cookies and follows redirects until they leave the sandbox. */
let jar = new Map<string, { value: string; path: string }>();
beforeEach(() => {
  jar = new Map();
});
async function visit(
  address: string,
  form?: Record<string, string>,
): Promise<{ at: URL; response?: Response }> {
  const at = new URL(address);
  if (at.origin !== url) return { at };
  const cookie = [...jar]
    .filter(([, { path }]) => at.pathname.startsWith(path))
    .map(([name, { value }]) => `${name}=${value}`);
  const response = await fetch(at, {
    method: form ? "POST" : "GET",
    redirect: "manual",
    headers: { cookie: cookie.join("; ") },
    body: form && new URLSearchParams(form),
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value) jar.set(name!, { value, path: /path=([^;]*)/i.exec(line)?.[1] ?? "/" });
    else jar.delete(name!);
  }
  const location = response.headers.get("location");
  return location ? visit(new URL(location, at).href) : { at, response };
}

const authorize = (more: Record<string, string> = {}) =>
  `${url}/identity/auth?${new URLSearchParams({
    response_type: "code",
    client_id: "checkintelli-sandbox",
    redirect_uri: REDIRECT_URI,
    scope: "openid email profile",
    state: "s1",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...more,
  })}`;

const BASIC = `Basic ${Buffer.from("checkintelli-sandbox:checkintelli-sandbox-secret").toString("base64")}`;
async function exchange(
  code: string,
  more: Record<string, string> = {},
  authorization: string | null = BASIC,
) {
  return fetch(`${url}/identity/token`, {
    method: "POST",
    headers: authorization ? { authorization } : {},
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...more,
    }),
  });
}

async function codeOf(persona: string) {
  await control("/identity", { persona });
  const { at } = await visit(authorize());
  return at.searchParams.get("code")!;
}

async function claimsOf(persona: string) {
  const tokens = await (await exchange(await codeOf(persona))).json();
  return (await get("/identity/me", { authorization: `Bearer ${tokens.access_token}` })).json();
}

test("the challenge belongs to the verifier", () => {
  expect(createHash("sha256").update(VERIFIER).digest("base64url")).toBe(CHALLENGE);
});

test("discovery names addresses under the issuer", async () => {
  const body = await (await get("/identity/.well-known/openid-configuration")).json();
  expect(body).toMatchObject({
    issuer: `${url}/identity`,
    authorization_endpoint: `${url}/identity/auth`,
    token_endpoint: `${url}/identity/token`,
    userinfo_endpoint: `${url}/identity/me`,
    code_challenge_methods_supported: ["S256"],
  });
});

test("a person chooses an identity, and the shop gets it", async () => {
  const { at, response } = await visit(authorize());
  expect(at.pathname).toMatch(/^\/identity\/interaction\//);
  const page = await response!.text();
  expect(page).toContain('name="persona" value="vendedor"');
  expect(page).toContain("Recusar");

  const back = await visit(at.href, { persona: "vendedor" });
  expect(back.at.origin + back.at.pathname).toBe(REDIRECT_URI);
  expect(back.at.searchParams.get("state")).toBe("s1");
  const response2 = await exchange(back.at.searchParams.get("code")!);
  const tokens = await response2.json();
  expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3600, id_token: expect.any(String) });
  const userinfo = await get("/identity/me", { authorization: `Bearer ${tokens.access_token}` });
  const claims = {
    sub: "google-vendedor",
    email: "vendedor@exemplo.com.br",
    email_verified: true,
    name: "Vendedor de Demonstração",
    picture: "https://exemplo.com.br/vendedor.png",
  };
  expect(await userinfo.json()).toMatchObject(claims);
  const payload = JSON.parse(Buffer.from(tokens.id_token.split(".")[1], "base64url").toString());
  expect(payload).toMatchObject({ ...claims, iss: `${url}/identity`, aud: "checkintelli-sandbox" });
  expect((await view("/calls")).identity).toMatchObject({ auth: 1, token: 1, me: 1, interaction: 2 });
});

test("the same browser is asked again the next time", async () => {
  const first = await visit(authorize());
  await visit(first.at.href, { persona: "vendedor" });
  const second = await visit(authorize());
  expect(second.at.pathname).toMatch(/interaction/);
  const back = await visit(second.at.href, { persona: "nova" });
  const tokens = await (await exchange(back.at.searchParams.get("code")!)).json();
  const me = await get("/identity/me", { authorization: `Bearer ${tokens.access_token}` });
  expect((await me.json()).sub).toBe("google-nova");
});

test("declining brings back access_denied", async () => {
  const { at } = await visit(authorize());
  const back = await visit(at.href, { persona: "" });
  expect(Object.fromEntries(back.at.searchParams)).toMatchObject({ error: "access_denied", state: "s1" });
});

test("a control declines without showing the screen, until it is lifted", async () => {
  await control("/identity", { deny: true });
  expect((await visit(authorize())).at.searchParams.get("error")).toBe("access_denied");
  await control("/identity", { persona: null });
  expect((await visit(authorize())).at.pathname).toMatch(/interaction/);
});

test("a login_hint picks the persona by key or by e-mail", async () => {
  for (const login_hint of ["nova", "nova@exemplo.com.br"]) {
    jar = new Map();
    const { at } = await visit(authorize({ login_hint }));
    expect(at.searchParams.get("code")).toBeTruthy();
  }
});

test("every persona has its own oddity", async () => {
  expect(await claimsOf("nova")).toMatchObject({ email: "nova@exemplo.com.br", email_verified: true });
  expect(await claimsOf("nao-verificado")).toMatchObject({
    email: "vendedor@exemplo.com.br",
    email_verified: false,
  });
  expect(await claimsOf("sem-nome")).not.toHaveProperty("name");
  expect(await claimsOf("email-trocado")).toMatchObject({
    sub: "google-vendedor",
    email: "vendedor.novo@exemplo.com.br",
  });
});

test("the secret may come in the body", async () => {
  const body = { client_id: "checkintelli-sandbox", client_secret: "checkintelli-sandbox-secret" };
  expect((await exchange(await codeOf("vendedor"), body, null)).status).toBe(200);
});

test("a code works once, with its verifier, its address and the right secret", async () => {
  const error = async (response: Response) => (await response.json()).error;
  const code = await codeOf("vendedor");
  expect(await error(await exchange(code, { code_verifier: "x".repeat(43) }))).toBe("invalid_grant");
  const another = await codeOf("vendedor");
  expect(await error(await exchange(another, { redirect_uri: `${APP_URL}/outro` }))).toBe("invalid_grant");
  const wrong = `Basic ${Buffer.from("checkintelli-sandbox:errado").toString("base64")}`;
  expect(await error(await exchange(await codeOf("vendedor"), {}, wrong))).toBe("invalid_client");
  const good = await codeOf("vendedor");
  expect((await exchange(good)).status).toBe(200);
  expect(await error(await exchange(good))).toBe("invalid_grant");
});

test("an authorization without PKCE is refused", async () => {
  const address = new URL(authorize());
  address.searchParams.delete("code_challenge");
  address.searchParams.delete("code_challenge_method");
  expect((await visit(address.href)).at.searchParams.get("error")).toBe("invalid_request");
});

test("an address the shop did not register gets an error page, not a redirect", async () => {
  const { response } = await visit(authorize({ redirect_uri: "http://localhost:1/x" }));
  expect(response!.status).toBe(400);
  expect(await response!.text()).toContain("Erro de identificação");
});

test("an unknown persona is refused", async () => {
  expect(await control("/identity", { persona: "ninguem" })).toHaveProperty("issues");
});
