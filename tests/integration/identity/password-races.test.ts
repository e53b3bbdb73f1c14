import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { createApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { endOtherAccess } from "#app/domain/identity/access/end-other-access.server.ts";
import { findSession } from "#app/domain/identity/access/find-session.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { changePassword } from "#app/domain/identity/change-password.server.ts";
import { confirmEmail } from "#app/domain/identity/email/confirm-email.server.ts";
import { issueEmailToken } from "#app/domain/identity/email/issue-email-token.server.ts";
import { resetPassword } from "#app/domain/identity/email/reset-password.server.ts";
import { hashPassword } from "#app/domain/identity/password.server.ts";
import { signIn } from "#app/domain/identity/sign-in.server.ts";
import * as sessionsRoute from "#app/routes/api/account/sessions.ts";
import * as confirmPage from "#app/routes/auth/confirm-identity.tsx";
import * as loginPage from "#app/routes/auth/login.tsx";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller, type Seller, signedIn } from "#tests/support/make.ts";
import { call } from "#tests/support/routes/call.ts";
import { until } from "#tests/support/until.ts";

await startApp({ web: 0, worker: 0 });
const OLD = "a senha antiga dela";
const NEW = "três palavras bem novas";

const sellerWithPassword = async () => makeSeller({ passwordHash: await hashPassword(OLD) });

const untilWaiting = (statement: string, count = 1) =>
  until(async () => {
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query ilike ${statement}`;
    return (await waiting).length === count;
  });

type Entering = (seller: Seller, headers: Record<string, string>) => Promise<Response>;

const byApi: Entering = ({ email }) =>
  call(sessionsRoute, "/api/sessions", { method: "POST", body: { email, password: OLD } });

const byPage: Entering = ({ email }) =>
  call(loginPage, "/login", { method: "POST", body: new URLSearchParams({ email, password: OLD }) });

const byConfirming: Entering = (_seller, headers) =>
  call(confirmPage, "/confirm-identity", {
    method: "POST",
    headers,
    body: new URLSearchParams({ password: OLD }),
  });

/** Starts a reset of the password, then `rival`, of which `statement` waits for it too. */
async function resetBefore<T>(seller: Seller, rival: () => Promise<T>, statement: string, count = 1) {
  const { token } = await issueEmailToken(db, { sellerId: seller.id, purpose: "reset", email: seller.email });
  const started: { reset?: Promise<unknown>; rival?: Promise<T> } = {};
  await sql.begin(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    started.reset = resetPassword(token, NEW);
    await untilWaiting('%"sellers"%for update%');
    started.rival = rival();
    await untilWaiting(statement, count);
  });
  await started.reset;
  return started.rival!;
}

test.each([
  ["by the API", byApi],
  ["by the page", byPage],
  ["by confirming an open session", byConfirming],
])("%s, an old password that was checked before a reset opens no session after it", async (_name, enter) => {
  const seller = await sellerWithPassword();
  const headers = await signedIn(seller);
  const answer = await resetBefore(seller, () => enter(seller, headers), '%insert into "sessions"%');
  expect(answer.status).toBe(401);
  expect(await sql`select from sessions where seller_id = ${seller.id}`).toHaveLength(0);
});

test("a change of password that was checked before a reset does not replace the reset's password", async () => {
  const seller = await sellerWithPassword();
  const thief = (await findSession(await openSession(seller.id, { ip: "192.0.2.1", userAgent: "x" })))!;
  const change = () =>
    changePassword(thief, { currentPassword: OLD, password: "a senha nova do ladrão" }).catch(
      (error) => error,
    );
  const refusal = await resetBefore(seller, change, '%"sellers"%', 2);
  expect(refusal).toMatchObject({ kind: "invalid", field: "currentPassword" });
  expect(await signIn({ email: seller.email, password: NEW })).toMatchObject({ outcome: "welcome" });
});

const newSession = async (seller: Seller) =>
  (await findSession(await openSession(seller.id, { ip: "192.0.2.1", userAgent: "x" })))!;

const linkFor = (seller: Seller, purpose: "confirm" | "reset", email: string) =>
  issueEmailToken(db, { sellerId: seller.id, purpose, email });

test.each([
  ["confirm", "is void", { status: "rejected", reason: { kind: "not-found" } }],
  ["reset", "still sets the password", { status: "fulfilled" }],
] as const)(
  "a %s link that is used while all other access is ended waits for that, and %s",
  async (purpose, _, outcome) => {
    const seller = await sellerWithPassword();
    const session = await newSession(seller);
    const email = purpose === "confirm" ? `nova-${seller.email}` : seller.email;
    const { token } = await linkFor(seller, purpose, email);
    const started: Promise<unknown>[] = [];
    await sql.begin(async (tx) => {
      await tx`select from sellers where id = ${seller.id} for update`;
      started.push(endOtherAccess(session, { keeps: "identity", keys: false }));
      await untilWaiting("%sellers%");
      started.push(purpose === "confirm" ? confirmEmail(token) : resetPassword(token, NEW));
      await untilWaiting("%sellers%", 2);
    });
    const [ended, used] = await Promise.allSettled(started);
    expect(ended).toMatchObject({ status: "fulfilled" });
    expect(used).toMatchObject(outcome);
  },
);

test("a copy of the cookie that ends all other access at the same time is refused, and takes no session over", async () => {
  const seller = await sellerWithPassword();
  const session = await newSession(seller);
  const started: Promise<string>[] = [];
  await sql.begin(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    for (const count of [1, 2]) {
      started.push(endOtherAccess(session, { keeps: "password", keys: false }));
      await untilWaiting("%sellers%", count);
    }
  });
  const [first, late] = await Promise.allSettled(started);
  expect(late).toMatchObject({ status: "rejected", reason: { kind: "unauthorized" } });
  expect(first).toMatchObject({ status: "fulfilled" });
  expect(await findSession(await started[0]!)).toMatchObject({ id: seller.id });
});

test("what a copy of the cookie began before its owner changed the password is refused, and the copy ends", async () => {
  const seller = await sellerWithPassword();
  const copy = await openSession(seller.id, { ip: "192.0.2.1", userAgent: "x" });
  const session = (await findSession(copy))!;
  const origin = { ip: null, userAgent: null, sessionId: session.sessionId };
  const started: { change?: Promise<string>; key?: Promise<string> } = {};
  await sql.begin(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    started.change = changePassword(session, { currentPassword: OLD, password: NEW }, origin);
    await untilWaiting("%sellers%");
    started.key = createApiKey(seller.id, { name: "Automação", scopes: ["read"] }, origin);
    await untilWaiting("%sellers%", 2);
  });
  const [changed, key] = await Promise.allSettled([started.change, started.key]);
  expect(key).toMatchObject({ status: "rejected", reason: { kind: "unauthorized" } });
  expect(changed).toMatchObject({ status: "fulfilled" });
  expect(await findSession(await started.change!)).toMatchObject({ id: seller.id, isRecent: true });
  expect(await findSession(copy)).toBeNull();
  expect(await sql`select from api_keys where seller_id = ${seller.id}`).toHaveLength(0);
});

test("of two reset links used at once one sets the password, and the other is void", async () => {
  const seller = await sellerWithPassword();
  const [first, second] = [
    await linkFor(seller, "reset", seller.email),
    await linkFor(seller, "reset", seller.email),
  ];
  const started: Promise<unknown>[] = [];
  await sql.begin(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    started.push(resetPassword(first.token, NEW));
    await untilWaiting("%sellers%");
    started.push(resetPassword(second.token, OLD));
    await untilWaiting("%sellers%", 2);
  });
  const [done, late] = await Promise.allSettled(started);
  expect(done).toMatchObject({ status: "fulfilled" });
  expect(late).toMatchObject({ status: "rejected", reason: { kind: "not-found" } });
});
