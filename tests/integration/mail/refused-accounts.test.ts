import { spawnSync } from "node:child_process";
import { beforeEach, expect, test } from "vitest";
import { clearPauseCache } from "#app/domain/mail/sending/account-pause.server.ts";
import { claimMails } from "#app/domain/mail/sending/claim-mails.server.ts";
import { explainMailError } from "#app/domain/mail/sending/explain-mail-error.ts";
import {
  retryFailedMails,
  retryLaterMails,
  retryPausedMails,
} from "#app/domain/mail/sending/retry-mails.server.ts";
import { sendMail } from "#app/domain/mail/sending/send-mail.server.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import type { SaleStatus } from "#app/domain/sale/states.ts";
import { mailQueue } from "#app/jobs/mail-queue.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { metricsText } from "#app/platform/metrics.server.ts";
import { readMetrics } from "#tests/integration/metrics/metrics.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import {
  attempt,
  mailRow,
  mailsWithTexts,
  makeMail,
  makeOwnSender,
  opened,
  scheduleNow,
} from "#tests/support/rows/make-mail.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const refuse = (times = 1) =>
  app.sandbox.fault({
    service: "resend",
    mode: "status-401",
    times,
    body: { statusCode: 401, name: "invalid_api_key", message: "API key is invalid" },
  });

beforeEach(async () => {
  await sql`truncate mails, mail_paces, mail_account_pauses cascade`;
  await app.sandbox.fault({ service: "resend", mode: "status-401", times: 0 });
  clearPauseCache();
});

/** One pass of a worker over the scheduled mails. */
async function work() {
  await sql`update queued_mails set slot_at = now() + interval '50 ms', scheduled_at = now() - interval '1 second'
    where scheduled_at is not null and slot_at is not null`;
  clearPauseCache();
  const claimed = await claimMails(20);
  await Promise.all(claimed.map((mail) => sendMail(mail, renderMail)));
}

const pause = async () => {
  const [row] =
    await sql`select *, extract(epoch from paused_until - now())::float8 * 1000 as left from mail_account_pauses`;
  return row as { refusals: number; left: number; via: string } | undefined;
};
const endPause = async () => {
  await sql`update mail_account_pauses set paused_until = now()`;
  await sql`update queued_mails set scheduled_at = now() where scheduled_at is not null`;
};
const calls = async () => (await app.sandbox.calls()).resend.emails;
const states = async () =>
  (await sql`select status, count(*)::int as count from mails group by 1 order by 1`).map((row) => [
    row.status,
    row.count,
  ]);

test("if the platform's key is refused a mail waits, keeps its priority, and the account is paused", async () => {
  const id = await makeMail();
  await refuse();
  expect(await attempt(id)).toBe("again");
  const row = await mailRow(id);
  expect(row).toMatchObject({ status: "attempting", attempts: 1, claimed_at: null, uncertain_since: null });
  expect(explainMailError(row.error!)).toBe("A plataforma não está conseguindo enviar e-mails.");
  const { refusals, left, via } = (await pause())!;
  expect([refusals, via]).toEqual([1, "platform"]);
  expect(left).toBeGreaterThan(25_000);
  expect(left).toBeLessThanOrEqual(30_000);
});

test("twelve purchases while the key is refused: none is given up, and all arrive once it is valid", async () => {
  await Promise.all(Array.from({ length: 12 }, () => makeMail()));
  await refuse(0);
  await refuse(100);
  await work();
  for (let look = 0; look < 10; look++) await work();
  expect(await states()).toEqual([["attempting", 12]]);
  const before = await calls();
  await work();
  expect(await calls()).toBe(before);

  for (let look = 0; look < 3; look++) {
    await endPause();
    await work();
  }
  // One attempt after each pause, however many wait.
  expect(await calls()).toBe(before + 3);
  await refuse(0);
  await endPause();
  await work();
  expect(await pause()).toBeUndefined();
  await endPause();
  while ((await states()).some(([status]) => status === "attempting")) {
    await sql`update mail_paces set next_slot_at = now()`;
    await sql`update queued_mails set scheduled_at = now() where scheduled_at is not null`;
    await work();
  }
  expect(await states()).toEqual([["sent", 12]]);
});

test("pauses grow to a quarter of an hour, however often it is refused", async () => {
  await makeMail();
  await refuse(100);
  const pauses: number[] = [];
  for (let look = 0; look < 8; look++) {
    await endPause();
    // A mail may first have to wait for its slot.
    await until(async () => {
      await work();
      return (await pause())?.refusals === look + 1;
    });
    pauses.push(Math.round((await pause())!.left / 1000));
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
});

test("refusals of mails in flight together count as one", async () => {
  const ids = await Promise.all([makeMail(), makeMail(), makeMail()]);
  for (const id of ids) await scheduleNow(id);
  await sql`update queued_mails set slot_at = null`;
  await refuse(100);
  await work();
  await work();
  expect((await pause())!.refusals).toBe(1);
});

test("a mail that is itself refused after a pause frees the account for the others", async () => {
  const [bad] = [await makeMail(), await makeMail()];
  await refuse();
  await attempt(bad);
  await sql`insert into mail_account_pauses (account, via, refusals, paused_until)
    select account, 'platform', 1, now() from queued_mails where id = ${bad} on conflict do nothing`;
  await endPause();
  await sql`update queued_mails set scheduled_at = now() + interval '1 hour' where id <> ${bad}`;
  await app.sandbox.fault({ service: "resend", mode: "http-422" });
  await work();
  expect((await mailRow(bad)).status).toBe("failed");
  expect(await pause()).toBeUndefined();
});

test("three days end the waiting", async () => {
  const id = await makeMail();
  await sql`update queued_mails set created_at = now() - interval '4 days', attempts = 3 where id = ${id}`;
  await refuse();
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).status).toBe("failed");
});

test("a seller whose account refuses is notified once a day, and the platform sends the mails", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller, { key: "re_invalid-3" });
  const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
  const ids = [await makeMail(own), await makeMail(own)];
  for (const id of ids) expect(await attempt(id)).toBe("done");
  for (const id of ids) expect(await mailRow(id)).toMatchObject({ status: "sent", via: "platform" });
  const mailed = opened(
    await sql`select id, recipient, body_sealed from ${mailsWithTexts()} where kind = 'mail-account-refused'`,
  );
  expect(mailed).toHaveLength(1);
  expect(mailed[0]!.recipient).toBe(seller.email);
  expect(mailed[0]!.payload.text).toContain("O Resend não reconheceu a chave API.");
  expect(mailed[0]!.payload.html).toContain(`"${env.APP_URL}${paths.emailSettings()}"`);
});

test.each(["daily_quota_exceeded", "monthly_quota_exceeded"])(
  "a seller whose quota is used up is notified once a day, and the platform sends the mails (%s)",
  async (name) => {
    const seller = await makeSeller();
    await makeOwnSender(seller);
    const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
    const body = { statusCode: 429, name, message: "You have reached your quota." };
    await app.sandbox.fault({ service: "resend", mode: "status-429", body, times: 1 });
    const first = await makeMail(own);
    expect(await attempt(first)).toBe("done");
    await app.sandbox.fault({ service: "resend", mode: "status-429", body, times: 1 });
    const second = await makeMail(own);
    expect(await attempt(second)).toBe("done");
    for (const id of [first, second])
      expect(await mailRow(id)).toMatchObject({ status: "sent", via: "platform" });
    const mailed = opened(
      await sql`select id, recipient, subject, body_sealed from ${mailsWithTexts()} where kind = 'mail-account-refused'`,
    );
    expect(mailed).toMatchObject([
      { recipient: seller.email, subject: "O limite da sua conta do Resend acabou" },
    ]);
    expect(mailed[0]!.payload.text).toMatch(/O limite (diário|mensal) da sua conta do Resend foi atingido/);
    expect(mailed[0]!.payload.text).not.toContain("Corrija a chave");
  },
);

test("that a quota is used up does not hide that the key is refused on the same day", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
  const body = { statusCode: 429, name: "daily_quota_exceeded", message: "You have reached your quota." };
  await app.sandbox.fault({ service: "resend", mode: "status-429", body, times: 1 });
  expect(await attempt(await makeMail(own))).toBe("done");
  await refuse();
  expect(await attempt(await makeMail(own))).toBe("done");
  const mailed = await sql`select subject from mails where kind = 'mail-account-refused' order by created_at`;
  expect(mailed.map(({ subject }) => subject)).toEqual([
    "O limite da sua conta do Resend acabou",
    "O Resend recusou um e-mail da sua conta",
  ]);
});

test("where both accounts refuse, the mail waits for the platform's", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const id = await makeMail({ sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" });
  await refuse(2);
  expect(await attempt(id)).toBe("again");
  expect(await mailRow(id)).toMatchObject({ status: "attempting", via: "platform" });
  expect((await pause())!.via).toBe("platform");
  expect(await attempt(id)).toBe("done");
  expect((await mailRow(id)).status).toBe("sent");
});

test("a seller's mail that may have been accepted waits for that account, and others of the shop are sent by the platform", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const own = { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" } as const;
  const id = await makeMail(own);
  await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
  expect(await attempt(id)).toBe("again");
  await refuse();
  expect(await attempt(id)).toBe("again");
  expect(await mailRow(id)).toMatchObject({ status: "attempting", via: "seller" });
  const row = (await pause())!;
  expect(row.via).toBe("seller");
  expect(row.left).toBeLessThan(MINUTE);
  expect(await sql`select 1 from mails where kind = 'mail-account-refused'`).toHaveLength(1);
  expect(await attempt(id)).toBe("done");
  expect(await app.sandbox.emails((await mailRow(id)).recipient)).toHaveLength(1);
});

test("one command resends what failed in a time span, and nothing that may have arrived", async () => {
  const failed = async (failure: string, more = {}, queued = {}) => {
    const id = await makeMail();
    await sql`update mails set ${sql({ status: "failed", failure, error: "x", attempts: 1, failed_at: new Date(), ...more })} where id = ${id}`;
    await sql`update queued_mails set ${sql({ scheduled_at: null, ...queued })} where id = ${id}`;
    return id;
  };
  const pix = async (expiresAt: Date) => {
    const id = await failed("account", { kind: "pix" });
    await sql`update queued_mails set data = ${sql.json({ expiresAt: expiresAt.toISOString() })} where id = ${id}`;
    return id;
  };
  const valid = await pix(new Date(Date.now() + 60 * MINUTE));
  const late = await failed("gave-up", {}, { created_at: new Date(Date.now() - 4 * DAY) });
  const good = [await failed("account"), await failed("gave-up"), valid, late];
  const old = await failed("account", { failed_at: new Date(Date.now() - 30 * MINUTE) });
  const cleared = await failed("account");
  await sql`delete from queued_mails where id = ${cleared}`;
  const left = [
    await failed("gave-up", {}, { uncertain_since: new Date() }),
    await failed("dropped"),
    await failed("refused"),
    await failed("refused", { bounced_at: new Date(), provider_id: "1" }),
    cleared,
    await failed("account", { kind: "reset-password" }),
    await pix(new Date(Date.now() - MINUTE)),
    await failed("account", { kind: "pix", created_at: new Date(Date.now() - 2 * DAY) }),
    await failed("account", { created_at: new Date(Date.now() + 5 * MINUTE) }),
  ];
  const since = new Date(Date.now() - 10 * MINUTE);
  expect(await retryFailedMails(since, new Date(Date.now() + MINUTE))).toBe(4);
  for (const id of good)
    expect(await mailRow(id)).toMatchObject({
      status: "attempting",
      attempts: 0,
      failure: null,
      error: null,
    });
  for (const id of [old, ...left]) expect((await mailRow(id)).status).toBe("failed");
  for (const id of good) expect(await attempt(id)).toBe("done");
  expect(await retryFailedMails(since, new Date(Date.now() + MINUTE))).toBe(0);
});

test("what is sent again after its three days is tried for three days anew", async () => {
  const id = await makeMail();
  const queuedAt = new Date(Date.now() - 4 * DAY);
  await sql`update mails set status = 'failed', failure = 'gave-up', error = 'x', failed_at = now(), created_at = ${queuedAt} where id = ${id}`;
  await sql`update queued_mails set scheduled_at = null, attempts = 20, created_at = ${queuedAt} where id = ${id}`;
  const again = () => retryFailedMails(new Date(Date.now() - 5 * DAY), new Date(Date.now() - 3 * DAY));
  expect(await again()).toBe(1);
  // It fails once more, and is still of that period.
  await sql`update queued_mails set scheduled_at = null where id = ${id}`;
  await sql`update mails set status = 'failed', failure = 'account', failed_at = now() where id = ${id}`;
  expect(await again()).toBe(1);
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  expect(await attempt(id)).toBe("again");
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({ status: "sent" });
});

test("of a mail that is sent again by command the wait since the booking is counted, not since the command", async () => {
  const waited = async () => {
    const { samples } = readMetrics(await metricsText());
    const sums = samples.filter(({ name }) => name.endsWith("payment_notify_latency_seconds_sum"));
    return sums.find(({ labels }) => labels.by === "mail")?.value ?? 0;
  };
  const id = await makeMail();
  const bookedAt = new Date(Date.now() - DAY);
  await sql`update mails set status = 'failed', failure = 'account', failed_at = now(), created_at = ${bookedAt} where id = ${id}`;
  await sql`update queued_mails set scheduled_at = null, attempts = 1, created_at = ${bookedAt} where id = ${id}`;
  expect(await retryFailedMails(new Date(Date.now() - MINUTE), new Date(Date.now() + MINUTE))).toBe(1);
  await scheduleNow(id);
  const before = await waited();
  const [claimed] = await mailQueue.claim(1);
  await mailQueue.handle(claimed!);
  expect(await mailRow(id)).toMatchObject({ status: "sent" });
  expect((await waited()) - before).toBeGreaterThanOrEqual(DAY / 1000);
});

/** The mails that give access to a purchase and its upsell, each a sale of its own, of these states. */
async function accessMails(purchase: SaleStatus, upsell: SaleStatus) {
  const product = await makeProduct(await makeSeller());
  const first = await makeSale(product, { status: purchase });
  const second = await makeSale(product, { status: upsell, parentSaleId: first.id });
  const won = await makeMail({ kind: "dispute-access", saleId: first.id });
  await sql`update queued_mails set data = '{"what": "won", "amountCents": 9700}' where id = ${won}`;
  const ids = [
    await makeMail({ kind: "purchase", saleId: first.id }),
    await makeMail({ kind: "access", saleId: first.id }),
    won,
    await makeMail({ kind: "upsell", saleId: second.id }),
  ];
  return { ids, refund: await makeMail({ kind: "refund", saleId: first.id }) };
}

const RETURNED = "Não enviado: o valor da compra já foi devolvido.";

test.each<[SaleStatus, SaleStatus, number]>([
  ["refunded", "completed", 3],
  ["chargedback", "completed", 3],
  ["completed", "refunded", 1],
  ["disputed", "completed", 0],
])(
  "once the account works, no mail says that what was refunded can be accessed: %s, its upsell %s",
  async (purchase, upsell, returned) => {
    const { ids, refund } = await accessMails(purchase, upsell);
    for (const id of [...ids, refund]) expect(await attempt(id)).toBe("done");
    const rows = await Promise.all(ids.map(mailRow));
    const dropped = rows.filter(({ status }) => status === "failed");
    expect(dropped).toHaveLength(returned);
    for (const row of dropped) expect(row).toMatchObject({ failure: "dropped", error: RETURNED });
    expect(await mailRow(refund)).toMatchObject({ status: "sent" });
  },
);

test("one command resends no mail that requests a payment that was made, or gives access to what was refunded", async () => {
  const { ids } = await accessMails("refunded", "completed");
  const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
  const pix = await makeMail({ kind: "pix", saleId: sale.id });
  const all = [...ids, pix];
  await sql`update mails set status = 'failed', failure = 'account', failed_at = now(), attempts = 1 where id in ${sql(all)}`;
  await sql`update queued_mails set scheduled_at = null where id in ${sql(all)}`;
  const now = Date.now();
  expect(await retryFailedMails(new Date(now - MINUTE), new Date(now + MINUTE))).toBe(1);
  expect(await mailRow(ids[3]!)).toMatchObject({ kind: "upsell", status: "attempting" });
});

test("the reason of a failed mail is stored with it, whatever text its provider chose", async () => {
  const afterDays = async (id: string) => {
    await sql`update queued_mails set created_at = now() - interval '4 days' where id = ${id}`;
    return id;
  };
  const failureOf = async (id: string) => (await mailRow(id)).failure;
  const [account, late, refused] = [await makeMail(), await makeMail(), await makeMail()];
  await refuse();
  await attempt(await afterDays(account));
  expect(await failureOf(account)).toBe("account");
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  await attempt(await afterDays(late));
  expect(await failureOf(late)).toBe("gave-up");
  await app.sandbox.fault({ service: "resend", mode: "http-422" });
  await attempt(refused);
  expect(await failureOf(refused)).toBe("refused");
  const interrupted = await makeMail();
  await sql`update queued_mails set created_at = now() - interval '4 days', claimed_at = now() - interval '4 days' where id = ${interrupted}`;
  await attempt(interrupted);
  expect(await failureOf(interrupted)).toBe("dropped");
  const waited = await makeMail();
  await app.sandbox.fault({ service: "resend", mode: "http-500" });
  await attempt(waited);
  await attempt(await afterDays(waited));
  expect(await failureOf(waited)).toBe("gave-up");
  // What may be sent again keeps its text.
  const hasText = async (id: string) => (await mailRow(id)).body_sealed !== null;
  for (const id of [account, late, waited]) expect(await hasText(id)).toBe(true);
  for (const id of [refused, interrupted]) expect(await hasText(id)).toBe(false);
});

test("mails waiting for a paused account can be scheduled at once", async () => {
  const id = await makeMail();
  await refuse();
  await attempt(id);
  const notified: string[] = [];
  const { unlisten } = await sql.listen("due", (payload) => void notified.push(payload));
  expect(await retryPausedMails()).toBe(1);
  await until(() => notified.includes("mails"));
  await unlisten();
  await work();
  expect((await mailRow(id)).status).toBe("sent");
  expect(await pause()).toBeUndefined();
});

test("mails that wait because the platform's quota was used up are due at once by the command, and not by a restart", async () => {
  const id = await makeMail();
  const body = { statusCode: 429, name: "daily_quota_exceeded", message: "You have reached your quota." };
  await app.sandbox.fault({ service: "resend", mode: "status-429", body, times: 1 });
  expect(await attempt(id)).toBe("again");
  const hours = async () =>
    (
      await sql`select round(extract(epoch from scheduled_at - now()) / 3600)::int as left from queued_mails where id = ${id}`
    )[0]!.left;
  expect(await hours()).toBe(3);
  await retryPausedMails();
  expect(await hours()).toBe(3);
  expect(await retryLaterMails()).toBe(1);
  expect(await hours()).toBe(0);
  await work();
  expect((await mailRow(id)).status).toBe("sent");
});

test("the command without a time sends what waits, and leaves what failed", async () => {
  const [waiting, failed] = [await makeMail(), await makeMail()];
  await sql`update queued_mails set via = 'platform', attempts = 1, scheduled_at = now() + interval '3 hours' where id = ${waiting}`;
  await sql`update mails set status = 'failed', failure = 'gave-up', failed_at = now() where id = ${failed}`;
  await sql`update queued_mails set scheduled_at = null where id = ${failed}`;
  expect(runCommand()).toMatchObject({
    ...{ status: 0, stderr: "" },
    stdout: expect.stringMatching(/^E-mails que esperavam e saem agora: 1\. .*retry-mails -- 20/),
  });
  expect(await sql`select id from queued_mails where scheduled_at <= now()`).toEqual([{ id: waiting }]);
  expect((await mailRow(failed)).status).toBe("failed");
  expect(runCommand("ontem")).toMatchObject({ status: 2, stdout: "" });
});

longTest(
  "the command takes times of São Paulo and of the log, and refuses a span that ends before it begins",
  () => {
    const inWords = "de 24/11/2020 09:00 a 24/11/2020 10:00, horário de São Paulo";
    for (const times of [
      ["2020-11-24T09:00", "2020-11-24T10:00"],
      ["2020-11-24T12:00:00.000Z", "2020-11-24T13:00Z"],
    ])
      expect(runCommand(...times)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(inWords),
        stderr: "",
      });
    // The time of a log as one of São Paulo: three hours later, and then most likely in the future.
    const mistaken = runCommand("2020-11-24T13:00", "2020-11-24T13:30Z");
    expect([mistaken.status, mistaken.stdout]).toEqual([2, ""]);
    expect(mistaken.stderr).toMatch(/acaba antes de começar.*termina em Z/);
  },
);

function runCommand(...times: string[]) {
  return spawnSync(process.execPath, ["scripts/retry-mails.ts", ...times], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
}
