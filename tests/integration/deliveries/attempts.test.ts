import { afterEach, expect, test, vi } from "vitest";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import { beginAttempt } from "#app/domain/delivery/sending/begin-attempt.server.ts";
import { claimDeliveries, LEASE } from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { recordAttempt } from "#app/domain/delivery/sending/record-attempt.server.ts";
import { renewLease } from "#app/domain/delivery/sending/renew-lease.server.ts";
import { sendDelivery } from "#app/domain/delivery/sending/send-delivery.server.ts";
import { wakeMissed } from "#app/domain/delivery/waiting.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#app/kit/duration.ts";
import { deliveriesOf } from "#tests/integration/deliveries/support.ts";
import { startApp } from "#tests/support/app.ts";
import { holdLock, sql, untilLockedOut } from "#tests/support/database.ts";
import { makeSeller, type Seller } from "#tests/support/make.ts";
import { makeDelivery, makeWebhook } from "#tests/support/rows/make-webhook.ts";

await startApp({ web: 0, worker: 0 });
afterEach(() => sql`delete from deliveries`);

const from = (now: number) => new Date(Date.now() + now);
type Fields = NonNullable<Parameters<typeof makeDelivery>[2]>;
const QUEUED: Fields = { status: "queued", reason: null, responseStatus: null, attempts: 0 };
const STOPPED = { stoppedAt: new Date(), stoppedReason: "seller" } as const;
const BEING_SENT: Fields = { leasedUntil: from(HOUR), scheduledAt: from(HOUR), attemptedAt: from(-HOUR) };
const LEFT_BY_DEAD: Fields = { leasedUntil: from(-SECOND), scheduledAt: from(HOUR) };

/** A webhook with queued deliveries, each of a subject of its own. `add` queues one more. */
async function queued(
  name: string,
  count: number,
  fields: Fields = {},
  settings: Omit<Parameters<typeof makeWebhook>[1], "name"> = {},
  owner?: Seller,
) {
  const seller = owner ?? (await makeSeller());
  const webhook = await makeWebhook(seller, { name, ...settings });
  const add = (more: Fields = {}) =>
    makeDelivery(seller, webhook, { ...QUEUED, scheduledAt: from(-SECOND), ...fields, ...more });
  for (let n = 0; n < count; n++) await add();
  return { webhook, add };
}

/** A delivery that a worker has claimed. */
async function claimed(name: string, fields?: Fields, settings?: Parameters<typeof queued>[3]) {
  const { webhook, add } = await queued(name, 1, fields, settings);
  const [one] = await claimDeliveries(1);
  const row = async () => (await sql`select * from deliveries where id = ${one!.delivery.id}`)[0]!;
  return { webhook, add, one: one!, row };
}

test("a claim reads on where what it read first may not start, and takes no more than asked for, for ten seconds", async () => {
  const full = await queued("full-line", 30, { scheduledAt: from(-MINUTE) });
  const free = await queued("free-line", 3);
  const taken = (await claimDeliveries(4)).map(({ delivery }) => delivery.destinationId);
  expect(taken).toEqual([full.webhook, full.webhook, full.webhook, free.webhook]);
  expect(
    await sql`select distinct leased_until > now() and leased_until <= now() + interval '10 seconds' as short
      from deliveries where leased_until is not null`,
  ).toEqual([{ short: true }]);
});

test("each call that ends makes room for one more beside those that last, and its worker hears of that", async () => {
  const { webhook, add } = await queued("three-lanes", 8);
  const inFlight = await claimDeliveries(10);
  expect(inFlight).toHaveLength(3);
  expect(await sendDelivery(inFlight[0]!, readNotification)).toBe(true);
  const scheduled = await sql`select id from deliveries
    where destination_id = ${webhook} and status = 'queued' and scheduled_at is not null`;
  expect(scheduled).toHaveLength(3);
  for (let n = 0; n < 3; n++) await add();
  expect(await claimDeliveries(10)).toHaveLength(1);
  const { one } = await claimed("alone");
  expect(await sendDelivery(one, readNotification)).toBe(false);
});

test.each([
  ["three others of its destination are", 3, false],
  ["another one of its subject is", 1, true],
])("no attempt is made while %s being sent, and it can be claimed again", async (_, count, isSame) => {
  const { add, one, row } = await claimed(`not-begun-${count}`);
  const { subjectId } = one.delivery;
  for (let n = 0; n < count; n++) await add({ ...BEING_SENT, ...(isSame ? { subjectId } : {}) });
  expect(await beginAttempt(one, ["{}"])).toBe(false);
  expect(await row()).toMatchObject({ attempts: 0, leased_until: null, body_sealed: null });
});

test("a delivery waits for a later one of its subject while that is being sent, and not once its worker died", async () => {
  const { add } = await queued("in-hand", 0);
  const subjectId = crypto.randomUUID();
  const first = await add({ subjectId });
  const later = await add({ subjectId, ...BEING_SENT });
  expect(await claimDeliveries(10)).toEqual([]);
  await sql`update deliveries set leased_until = now() - interval '1 second' where id = ${later}`;
  await sql`update deliveries set scheduled_at = date_trunc('milliseconds', now())`;
  expect((await claimDeliveries(10)).map(({ delivery }) => delivery.id)).toEqual([first]);
});

test.each([
  [true, LEASE / 4 - 1, "performance"],
  [false, LEASE / 4, "performance"],
  [false, LEASE / 4, "Date"],
] as const)(
  "whether an attempt is made (%s) depends on the lease that is left after %i ms of %s",
  async (isMade, ms, clock) => {
    const { one, row } = await claimed(`in-time-${isMade}-${clock}`);
    vi.useFakeTimers({ toFake: [clock] });
    const { release } = await holdLock(
      (tx) => tx`select from deliveries where id = ${one.delivery.id} for update`,
    );
    try {
      const begun = beginAttempt(one, ["{}"]);
      await untilLockedOut();
      vi.advanceTimersByTime(ms);
      await release();
      expect(await begun).toBe(isMade);
    } finally {
      vi.useRealTimers();
      await release();
    }
    expect(await row()).toMatchObject({ attempts: isMade ? 1 : 0 });
  },
);

test("a lease is not renewed before a quarter of it has passed", async () => {
  const { one, row } = await claimed("short-call");
  const before = await row();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const stop = renewLease(one);
    vi.advanceTimersByTime(LEASE / 4 - 1);
    await stop();
  } finally {
    vi.useRealTimers();
  }
  expect(await row()).toEqual(before);
});

test("the first of a stopped destination's deliveries ends all others, but none that is being sent", async () => {
  const { webhook, add } = await queued("stopped-all", 3, {}, STOPPED);
  await add(LEFT_BY_DEAD);
  await add(BEING_SENT);
  const [first] = await claimDeliveries(1);
  expect(await sendDelivery(first!, readNotification)).toBe(false);
  const ends = (await deliveriesOf(webhook)).map(({ status }) => status);
  expect(ends).toEqual([...Array(4).fill("dropped"), "queued"]);
});

test("what waits at any stopped destination is scheduled within a minute, and nothing that is being sent", async () => {
  const retried: Fields = { scheduledAt: from(HOUR), nextAttemptAt: from(HOUR) };
  const parked: Fields = { scheduledAt: null, parkedAt: new Date() };
  const seller = await makeSeller();
  const woken = [
    await queued("stopped-retry", 1, retried, STOPPED, seller),
    await queued("stopped-parked", 1, parked, { ...STOPPED, backoffUntil: from(HOUR) }, seller),
    await queued("stopped-died", 1, LEFT_BY_DEAD, STOPPED, seller),
    await queued("running-parked", 1, parked, {}, seller),
  ];
  await queued("stopped-sending", 1, BEING_SENT, STOPPED, seller);
  await queued("running-retry", 1, retried, {}, seller);
  await wakeMissed.handle({}, { number: 1, last: true });
  const rows = await sql`select destination_id as webhook from deliveries where scheduled_at <= now()`;
  expect(rows.map(({ webhook }) => webhook).sort()).toEqual(woken.map(({ webhook }) => webhook).sort());
});

/** Without a sale it would be a test. */
const OF_A_SALE = { saleId: crypto.randomUUID() };
const NO_ANSWER = { verdict: { result: "again", reason: "status" }, status: 500, body: "", ms: 1 } as const;

test("a failed attempt is repeated after its delay and up to a tenth of it; nothing else of its destination waits", async () => {
  const { webhook, one, row } = await claimed("patient");
  const [now, kind] = [new Date(), DESTINATIONS.webhook];
  await recordAttempt({
    ...{ ...one, delivery: { ...one.delivery, ...OF_A_SALE, attempts: 9 } },
    body: "{}",
    kind,
    outcome: NO_ANSWER,
    now,
  });
  const delay = (await row()).next_attempt_at.getTime() - now.getTime();
  expect(delay).toBeGreaterThanOrEqual(24 * HOUR);
  expect(delay).toBeLessThanOrEqual(26.4 * HOUR);
  const [destination] =
    await sql`select backoff_until, failing_since from destinations where id = ${webhook}`;
  expect(destination).toEqual({ backoff_until: null, failing_since: now });
});

test("a worker whose clock is days behind the database's puts nothing off into the past", async () => {
  const { webhook, one, row } = await claimed("clock-behind");
  await recordAttempt({
    ...{ ...one, delivery: { ...one.delivery, ...OF_A_SALE, attempts: 1 } },
    ...{ body: "{}", kind: DESTINATIONS.webhook, now: from(-3 * DAY) },
    outcome: { ...NO_ANSWER, verdict: { ...NO_ANSWER.verdict, retryAfterMs: HOUR } },
  });
  const { next_attempt_at: next, scheduled_at: scheduled } = await row();
  expect(scheduled).toEqual(next);
  expect(
    await sql`select ${next}::timestamptz > now() as later, backoff_until > now() as paused from destinations where id = ${webhook}`,
  ).toEqual([{ later: true, paused: true }]);
});

test.each([
  ["for three days", 0, "failing"],
  ["a moment less than that", 1, null],
])(
  "where the last attempt fails and all others have %s, a destination is left: %i, %s",
  async (_, ms, why) => {
    const now = new Date();
    const failingSince = new Date(now.getTime() - 3 * DAY + ms);
    const { webhook, one, row } = await claimed(`failing-${ms}`, {}, { failingSince });
    const delivery = { ...one.delivery, ...OF_A_SALE, attempts: 10 };
    await recordAttempt({
      ...one,
      delivery,
      kind: DESTINATIONS.webhook,
      body: "{}",
      outcome: NO_ANSWER,
      now,
    });
    expect(await row()).toMatchObject({ status: "refused", next_attempt_at: null });
    expect(await sql`select stopped_reason from destinations where id = ${webhook}`).toEqual([
      { stopped_reason: why },
    ]);
  },
);

test.each(["forbidden", "redirect", "status"] as const)(
  "one that refuses whatever it is sent is left after three days, by the first sale after them: %s",
  async (reason) => {
    const now = new Date();
    const failingSince = new Date(now.getTime() - 3 * DAY);
    const { webhook, one } = await claimed(`refuses-all-${reason}`, {}, { failingSince });
    const delivery = { ...one.delivery, ...OF_A_SALE };
    const outcome = { ...NO_ANSWER, verdict: { result: "refused", reason } } as const;
    await recordAttempt({ ...one, delivery, kind: DESTINATIONS.webhook, body: "{}", outcome, now });
    expect(await sql`select stopped_reason from destinations where id = ${webhook}`).toEqual([
      { stopped_reason: "failing" },
    ]);
  },
);

test.each([
  ["is not answered", { result: "again", reason: "status", retryAfterMs: HOUR }, null],
  ["is refused", { result: "refused", reason: "unknown-class" }, null],
  ["finds a refused token", { result: "gone", reason: "token" }, null],
  ["finds that the address wants nothing any more", { result: "gone", reason: "gone" }, "gone"],
] as const)("a test that %s leaves its destination as it is, unless it is gone", async (_, verdict, why) => {
  const now = new Date();
  const failingSince = new Date(now.getTime() - 4 * DAY);
  for (const since of [null, failingSince]) {
    const { webhook, one } = await claimed(`tested-${verdict.reason}`, {}, { failingSince: since });
    const delivery = { ...one.delivery, attempts: 10 };
    await recordAttempt({
      ...one,
      delivery,
      kind: DESTINATIONS.webhook,
      body: "{}",
      outcome: { ...NO_ANSWER, verdict },
      now,
    });
    expect(
      await sql`select stopped_reason, failing_since, backoff_until from destinations where id = ${webhook}`,
    ).toEqual([{ stopped_reason: why, failing_since: since, backoff_until: null }]);
  }
});

test.each([
  ["accepts it", { result: "taken", reason: "taken" }, 200],
  ["refuses it", { result: "refused", reason: "status" }, 500],
] as const)(
  "of a delivery that was cleared while its receiver %s the answer is not stored: it may name the buyer",
  async (_, verdict, status) => {
    const { one, row } = await claimed(`cleared-${status}`);
    await sql`update deliveries set cleared_at = now(), body_sealed = null where id = ${one.delivery.id}`;
    await recordAttempt({
      ...{ ...one, kind: DESTINATIONS.webhook, body: "{}", now: new Date() },
      outcome: { verdict, status, body: "Ana Souza", ms: 1 },
    });
    expect(await row()).toMatchObject({ response_status: status, response_body: null });
  },
);

test("the log of a delivery has its last thirty attempts, each with the time that it took", async () => {
  const attempt = { at: "2026-06-08T14:53:07Z", result: "status", status: 500, ms: 7 };
  const { one, row } = await claimed("long-log", { attemptLog: Array(30).fill(attempt) });
  const startedAt = performance.now();
  await sendDelivery(one, readNotification);
  const elapsed = performance.now() - startedAt;
  const { attempt_log: attempts } = await row();
  expect(attempts).toHaveLength(30);
  expect(attempts.at(-1)).toMatchObject({ result: "taken", status: 200 });
  expect(attempts.at(-1).ms).toBeLessThanOrEqual(Math.ceil(elapsed));
});
