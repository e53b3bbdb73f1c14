import { expect, test } from "vitest";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import type { Scope } from "#app/domain/identity/access/scopes.ts";
import {
  refuseOtherAccount,
  requireApiSeller,
  requireSeller,
  requireSellerEvenClosed,
} from "#app/server/session/guards.server.ts";
import { pageAccount } from "#app/server/session/page-account.server.ts";
import { refuseCrossSite, refuseEmbedded } from "#app/server/session/refuse-cross-site.server.ts";
import { newAddress } from "#tests/support/clients/client-address.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, signedIn } from "#tests/support/make.ts";

const FOREIGN = { "Sec-Fetch-Site": "cross-site" };
const EMBEDDED = { kind: "forbidden", message: "Este pedido não veio de uma página nossa" };

function request(path: string, headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  const all = { "X-Forwarded-For": newAddress(), ...headers };
  return new Request(new URL(path, "http://localhost:3000"), { ...init, headers: all });
}

const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

/** What a page answers instead of showing itself. */
async function answered(guarded: Promise<unknown>): Promise<Response> {
  const outcome = await guarded.catch((error: unknown) => error);
  if (!(outcome instanceof Response)) throw new Error("the guard let the request in", { cause: outcome });
  return outcome;
}

/** The headers of a browser whose session has expired. */
async function signedOut() {
  const seller = await makeSeller();
  const headers = await signedIn(seller);
  await sql`update sessions set expires_at = now() - interval '1 second' where seller_id = ${seller.id}`;
  return { seller, headers };
}

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split("=")[0]);

test("a stranger is sent to sign in and back to the page, and gets no cookie", async () => {
  const answer = await answered(requireSeller(request("/settings?tab=perfil")));
  expect([answer.status, answer.headers.get("location")]).toEqual([
    302,
    `/login?returnTo=${encodeURIComponent("/settings?tab=perfil")}`,
  ]);
  expect(answer.headers.get("x-session-ended")).toBe("1");
  expect(cookiesOf(answer)).toEqual([]);
});

test("a browser whose session ended loses its cookie", async () => {
  const { headers } = await signedOut();
  const answer = await answered(requireSeller(request("/settings", headers)));
  expect(answer.headers.get("location")).toBe(`/login?returnTo=${encodeURIComponent("/settings")}`);
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^sessao=.*; Max-Age=0;/)]);
});

test("a form posted after the session ended is kept, and the browser gets what opens it", async () => {
  const { seller, headers } = await signedOut();
  const posted = request("/settings?tab=perfil", headers, form({ intent: "profile", name: "Vera" }));
  const answer = await answered(requireSeller(posted));
  const [held] = await sql`select id, address from held_forms where seller_id = ${seller.id}`;
  expect(held!.address).toBe("/settings?tab=perfil");
  const back = encodeURIComponent(`/resume-form?form=${held!.id}`);
  expect(answer.headers.get("location")).toBe(`/login?returnTo=${back}`);
  expect(cookiesOf(answer)).toEqual(["interrompido", "conta"]);
});

test("of what cannot be kept the sign-in page says so", async () => {
  const { headers } = await signedOut();
  const json = { ...headers, "Content-Type": "application/json" };
  const answer = await answered(requireSeller(request("/settings", json, { method: "POST", body: "{}" })));
  expect(answer.headers.get("location")).toBe("/login?error=not_held");
  expect(cookiesOf(answer)).toEqual([]);
});

test.each([
  ["with a password, which is not kept", { password: "segredo-123" }],
  ["with nothing typed", {}],
])("a form of another account %s is refused with a sentence", async (_, fields) => {
  const [shown, signedInNow] = [await makeSeller(), await makeSeller()];
  const posted = form({ intent: "save", account: pageAccount(shown.id), ...fields });
  const sent = request("/settings", await signedIn(signedInNow), posted);
  const answer = await answered(refuseOtherAccount(sent, await sent.clone().formData()));
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("Esta página é de outra conta");
});

test("a form of the own page is let in, and one of a browser that signed out meanwhile is no other account's", async () => {
  const seller = await makeSeller();
  const { headers: ended, seller: former } = await signedOut();
  for (const [headers, account] of [
    [await signedIn(seller), seller.id],
    [ended, former.id],
    [{}, seller.id],
  ] as const) {
    const posted = form({ intent: "save", account: pageAccount(account) });
    const sent = request("/settings", headers, posted);
    await expect(refuseOtherAccount(sent, await sent.clone().formData())).resolves.toBeUndefined();
  }
});

test("a closed account opens only the pages for reopening it", async () => {
  const open = await makeSeller();
  expect(await requireSeller(request("/products", await signedIn(open)))).toMatchObject({ id: open.id });
  const closed = await makeSeller({ closedAt: new Date() });
  const headers = await signedIn(closed);
  const answer = await answered(requireSeller(request("/products", headers)));
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/settings/close"]);
  expect(await requireSellerEvenClosed(request("/settings/close", headers))).toMatchObject({ id: closed.id });
});

test("another site's form is answered 403, whoever is signed in", async () => {
  const headers = { ...(await signedIn(await makeSeller())), ...FOREIGN };
  const answer = await answered(requireSeller(request("/products", headers, form({ intent: "delete" }))));
  expect([answer.status, await answer.text()]).toEqual([
    403,
    "Este pedido veio de outro site e foi recusado",
  ]);
});

test("the API knows a seller by session or key; only a key needs a scope, and is let in from anywhere", async () => {
  const seller = await makeSeller();
  const session = await signedIn(seller);
  const key = { Authorization: `Bearer ${await createApiKey(seller.id, { name: "Ler", scopes: ["read"] })}` };
  const enter = (headers: Record<string, string>, scope: Scope | null) =>
    requireApiSeller(request("/api/products", headers, form({})), scope);
  for (const [headers, scope] of [
    [session, "settings"],
    [session, null],
    [key, "read"],
    [key, null],
    [{ ...key, ...FOREIGN }, "read"],
  ] as const)
    expect(await enter(headers, scope)).toMatchObject({ id: seller.id });
  await expect(enter(key, "settings")).rejects.toMatchObject({
    kind: "forbidden",
    message: "Esta chave de API não tem a permissão “settings”",
    code: "scope_required",
  });
  await expect(enter({ ...session, ...FOREIGN }, "read")).rejects.toMatchObject({
    kind: "forbidden",
    message: "Este pedido veio de outro site e foi recusado",
  });
  const wrong = { Authorization: "Bearer ck_x" };
  const strangers: Record<string, string>[] = [{}, wrong, { ...session, ...wrong }];
  for (const headers of strangers)
    await expect(enter(headers, "read")).rejects.toMatchObject({ kind: "unauthorized" });
});

test("a program whose key is unknown, or sent otherwise, is told so, and not to sign in", async () => {
  const answers = { "Bearer ck_x": /chave de API não existe ou foi revogada/, ck_x: /Authorization: Bearer/ };
  for (const [Authorization, message] of Object.entries(answers))
    await expect(requireApiSeller(request("/api/products", { Authorization }), "read")).rejects.toMatchObject(
      { kind: "unauthorized", message: expect.stringMatching(message) },
    );
});

test("the API refuses the session of a closed account by name", async () => {
  const headers = await signedIn(await makeSeller({ closedAt: new Date() }));
  await expect(requireApiSeller(request("/api/products", headers), "read")).rejects.toMatchObject({
    kind: "forbidden",
    code: "account_closed",
  });
});

test("of another site's requests those that only read are let in", () => {
  const send = (method: string) => () => refuseCrossSite(request("/", FOREIGN, { method }));
  for (const method of ["GET", "HEAD"]) expect(send(method), method).not.toThrow();
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) expect(send(method), method).toThrow("outro site");
});

test.each<Record<string, string>>([
  { "Sec-Fetch-Dest": "image" },
  { "Sec-Fetch-Dest": "iframe", Accept: "text/html" },
  { Accept: "image/avif,image/webp,*/*;q=0.8" },
  { Accept: "text/css,*/*;q=0.1" },
  { "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site" },
])("a request that a page embeds or another site sends changes nothing (%j)", (headers) => {
  let refused: unknown;
  try {
    refuseEmbedded(request("/logout", headers));
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject(EMBEDDED);
});

test.each<Record<string, string>>([
  {},
  { "Sec-Fetch-Dest": "document" },
  { "Sec-Fetch-Dest": "empty" },
  { "Sec-Fetch-Dest": "empty", Accept: "image/webp" },
  { Accept: "text/html" },
])("a navigation or a call of our own page is let in (%j)", (headers) => {
  const enter = () => refuseEmbedded(request("/logout", headers));
  expect(enter).not.toThrow();
});
