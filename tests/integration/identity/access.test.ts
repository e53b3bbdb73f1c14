import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { db } from "#app/db/client.server.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "#app/domain/identity/access/api-keys.server.ts";
import { endAccess } from "#app/domain/identity/access/end-access.server.ts";
import { endSession } from "#app/domain/identity/access/end-session.server.ts";
import { findApiKey } from "#app/domain/identity/access/find-api-key.server.ts";
import { findSession } from "#app/domain/identity/access/find-session.server.ts";
import { listSessions } from "#app/domain/identity/access/list-sessions.server.ts";
import { openSession } from "#app/domain/identity/access/open-session.server.ts";
import { insertHeldForm } from "#app/server/session/held-form-rows.server.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

type Seller = { id: string };

const open = ({ id }: Seller, userAgent: string | null = null) => openSession(id, { ip: null, userAgent });
const create = ({ id }: Seller, name = "Planilha") => createApiKey(id, { name, scopes: ["read"] });

/** Keys that nobody has: the seller only sees their names. */
const makeKeys = ({ id }: Seller, count: number, revokedAt: Date | null = null) =>
  sql`insert into api_keys (seller_id, name, key_hash, preview, revoked_at)
    select ${id}, 'Chave ' || n, gen_random_uuid(), 'ck_', ${revokedAt} from generate_series(1, ${count}::int) n`;

test("a seller has twenty API keys, also if several are created at once", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await makeKeys(seller, 19);
  await makeKeys(seller, 1, new Date());
  await makeKeys(other, 20);
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => create(seller, "A vigésima")));
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refused).toHaveLength(2);
  for (const reason of refused)
    expect(reason).toMatchObject({
      kind: "conflict",
      message: "Você já tem 20 chaves. Revogue uma para criar outra.",
      field: "name",
    });
  expect(await listApiKeys(seller.id)).toHaveLength(20);
});

test("an API key is created while another seller's settings are being saved", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const saving = await holdLock((tx) => tx`select from sellers where id = ${other.id} for update`);
  await create(seller);
  await saving.release();
  expect(await listApiKeys(seller.id)).toHaveLength(1);
});

test("an API key is listed by its first nine characters, and revoked once", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  await create(other, "Alheia");
  const keys = [await create(seller, "Primeira"), await create(seller, "Segunda")];
  const mails =
    await sql`select subject from mails where seller_id = ${seller.id} and kind = 'security-notice'`;
  expect(mails).toHaveLength(2);
  const listed = await listApiKeys(seller.id);
  expect(listed.map(({ name, preview }) => [name, preview]).sort()).toEqual([
    ["Primeira", keys[0]!.slice(0, 9)],
    ["Segunda", keys[1]!.slice(0, 9)],
  ]);
  const first = listed.find(({ name }) => name === "Primeira")!;
  await revokeApiKey(seller.id, first.id);
  const notFound = { kind: "not-found", message: "Chave não encontrada" };
  for (const id of [first.id, "x"]) await expect(revokeApiKey(seller.id, id)).rejects.toMatchObject(notFound);
  expect((await listApiKeys(seller.id)).map(({ name }) => name)).toEqual(["Segunda"]);
  expect([await findApiKey(keys[0]!), (await findApiKey(keys[1]!))?.id]).toEqual([null, seller.id]);
});

test("a key of a closed account opens nothing", async () => {
  const seller = await makeSeller();
  const key = await create(seller);
  expect(await findApiKey(key)).toMatchObject({ id: seller.id, scopes: ["read"] });
  await sql`update sellers set closed_at = now() where id = ${seller.id}`;
  expect(await findApiKey(key)).toBeNull();
});

test("the use of a key is recorded once a minute", async () => {
  const seller = await makeSeller();
  const key = await create(seller, "Usada");
  await create(seller, "Ociosa");
  /** Uses the key where both were last used that long ago. */
  const useAfter = async (seconds: number | null) => {
    await sql`update api_keys set last_used_at = now() - make_interval(secs => ${seconds}) where seller_id = ${seller.id}`;
    await findApiKey(key);
    return sql`select name, last_used_at > now() - interval '20 seconds' as recent from api_keys
      where seller_id = ${seller.id} order by name desc`;
  };
  const both = (used: boolean, idle: boolean | null) => [
    { name: "Usada", recent: used },
    { name: "Ociosa", recent: idle },
  ];
  expect(await useAfter(null)).toEqual(both(true, null));
  expect(await useAfter(30)).toEqual(both(false, false));
  expect(await useAfter(90)).toEqual(both(true, false));
});

test("the use of a session is recorded every ten minutes, and lets it live for thirty days more", async () => {
  const seller = await makeSeller();
  const token = await open(seller, "usada");
  await open(seller, "ociosa");
  /** Uses the session where both were last used that long ago. */
  const useAfter = async (minutes: number) => {
    await sql`update sessions set last_used_at = now() - make_interval(mins => ${minutes}),
      expires_at = now() + interval '2 days' where seller_id = ${seller.id}`;
    expect(await findSession(token)).toMatchObject({ id: seller.id });
    return sql`select user_agent as name, last_used_at > now() - interval '1 minute' as recent,
      round(extract(epoch from expires_at - now()) / 86400)::int as days from sessions
      where seller_id = ${seller.id} order by user_agent desc`;
  };
  const idle = { name: "ociosa", recent: false, days: 2 };
  expect(await useAfter(8)).toEqual([{ name: "usada", recent: false, days: 2 }, idle]);
  expect(await useAfter(12)).toEqual([{ name: "usada", recent: true, days: 30 }, idle]);
});

test("a session lives for thirty days, and stores a short user agent", async () => {
  const seller = await makeSeller();
  await open(seller, `Mozilla/5.0\n${"x".repeat(400)}`);
  const [row] = await sql`select user_agent, expires_at > now() + interval '29 days 23 hours' as long,
    expires_at > now() + interval '30 days 1 hour' as longer from sessions where seller_id = ${seller.id}`;
  expect(row).toEqual({
    user_agent: `Mozilla/5.0 ${"x".repeat(288)}`,
    long: true,
    longer: false,
  });
});

test("the fifty sessions used last are listed, of this seller and valid ones", async () => {
  const [seller, other] = [await makeSeller(), await makeSeller()];
  const make = ({ id }: Seller, count: number, days: number) => sql`
    insert into sessions (seller_id, token_hash, user_agent, last_used_at, expires_at)
    select ${id}, gen_random_uuid(), n::text, now() - make_interval(mins => n), now() + make_interval(days => ${days})
    from generate_series(1, ${count}::int) n`;
  await make(other, 1, 30);
  await make(seller, 1, -1);
  expect(await listSessions(seller.id)).toEqual([]);
  await make(seller, 51, 30);
  const listed = await listSessions(seller.id);
  const newest = Array.from({ length: 50 }, (_, at) => at + 1);
  expect(listed.map(({ userAgent }) => Number(userAgent))).toEqual(newest);
});

test("signing out ends that session, and no other", async () => {
  const seller = await makeSeller();
  const [here, there] = [await open(seller), await open(seller)];
  await endSession(here);
  expect([await findSession(here), (await findSession(there))?.id]).toEqual([null, seller.id]);
});

/** A seller with everything that opens an account, unused and used up. */
async function withAccess() {
  const seller = await makeSeller({ passwordHash: "$argon2id$kept", oauthSubject: randomUUID() });
  await makeKeys(seller, 1);
  await makeKeys(seller, 1, new Date("2026-01-01T00:00:00Z"));
  for (const usedAt of [null, new Date("2026-01-01T00:00:00Z")])
    await sql`insert into email_tokens (seller_id, purpose, email, token_hash, expires_at, used_at)
      values (${seller.id}, 'reset', ${seller.email}, gen_random_uuid(), now() + interval '1 hour', ${usedAt})`;
  await sql`insert into held_forms (seller_id, token_hash, change, address, fields_sealed, expires_at)
    values (${seller.id}, gen_random_uuid(), 'session', '/settings', 'x', now() + interval '1 hour')`;
  await open(seller);
  await open(seller);
  return seller;
}

/** How many of each still open the account, and which were used up before. */
async function accessOf({ id }: Seller) {
  const [row] = await sql`select
    (select count(*)::int from sessions where seller_id = ${id}) as sessions,
    (select count(*)::int from held_forms where seller_id = ${id}) as forms,
    (select count(*)::int from email_tokens where seller_id = ${id} and used_at is null) as links,
    (select count(*)::int from email_tokens where seller_id = ${id} and used_at = '2026-01-01T00:00:00Z') as used,
    (select count(*)::int from api_keys where seller_id = ${id} and revoked_at is null) as keys,
    (select count(*)::int from api_keys where seller_id = ${id} and revoked_at = '2026-01-01T00:00:00Z') as revoked,
    (select password_hash is not null from sellers where id = ${id}) as password,
    (select oauth_subject is not null from sellers where id = ${id}) as identity`;
  return row!;
}

test("all access to one account ends but what is to remain, and what had ended stays as it was", async () => {
  const all = {
    ...{ sessions: 2, forms: 1, links: 1, used: 1, keys: 1, revoked: 1 },
    ...{ password: true, identity: true },
  };
  const [seller, other] = [await withAccess(), await withAccess()];
  expect(await accessOf(seller)).toEqual(all);
  const [session] = await sql<{ id: string }[]>`select id from sessions where seller_id = ${seller.id}`;
  const remaining = { sessionId: session!.id, keys: true, password: true, identity: true };
  await db.transaction((tx) => endAccess(tx, seller.id, remaining));
  expect(await accessOf(seller)).toEqual({ ...all, sessions: 1, forms: 0, links: 0 });
  expect(await sql`select id from sessions where seller_id = ${seller.id}`).toEqual([{ id: session!.id }]);
  await db.transaction((tx) => endAccess(tx, seller.id, {}));
  const none = { sessions: 0, forms: 0, links: 0, keys: 0, password: false, identity: false };
  expect(await accessOf(seller)).toEqual({ ...all, ...none });
  expect(await accessOf(other)).toEqual(all);
});

test("a form is held while all other access to its account ends", async () => {
  const seller = await makeSeller();
  const held = { change: "password", address: "/settings", form: new FormData() };
  await insertHeldForm(seller.id, { ...held, lifetime: -1000 });
  const inserted: Promise<unknown>[] = [];
  // As `endOtherAccess` does: the seller, and then all forms.
  const ending = await holdLock(async (tx) => {
    await tx`select from sellers where id = ${seller.id} for update`;
    inserted.push(insertHeldForm(seller.id, { ...held, lifetime: 60_000 }));
    await untilLockedOut();
    await tx`delete from held_forms where seller_id = ${seller.id}`;
  });
  await ending.release();
  expect(await Promise.all(inserted)).toMatchObject([{ token: expect.any(String) }]);
  expect(await sql`select from held_forms where seller_id = ${seller.id}`).toHaveLength(1);
});
