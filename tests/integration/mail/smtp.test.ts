import { expect, test } from "vitest";
import { retryPausedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { smtpSender } from "#app/domain/mail/sending/senders/smtp.server.ts";
import { metricsText } from "#app/platform/metrics.server.ts";
import { freePort } from "#scripts/ports.ts";
import { HANG_UP, type SmtpAnswers, startSmtpServer } from "#tests/integration/mail/smtp-server.ts";
import { readMetrics, scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { mailRow, makeMail } from "#tests/support/rows/make-mail.ts";
import { longTest } from "#tests/support/run/ways.ts";
import { until } from "#tests/support/until.ts";

const mail = {
  from: "Loja <loja@exemplo.com.br>",
  to: "ana@exemplo.com.br",
  subject: "Oi",
  html: "<p>Oi</p>",
  text: "Oi",
};
const outgoing = { id: "1", idempotencyKey: "purchase/1", mail };

/** Sends the mail by a server. @returns the counted outcomes of the call, and the error that it threw */
async function sendBy(url: string): Promise<{ outcomes: string[]; error: unknown }> {
  const counted = async () => {
    const { samples } = readMetrics(await metricsText());
    const own = samples.filter(
      ({ name, labels }) => /outside_calls_total$/.test(name) && labels.service === "smtp",
    );
    return new Map(own.map(({ labels, value }) => [labels.outcome!, value]));
  };
  const before = await counted();
  const error = await smtpSender(url)(outgoing).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const after = await counted();
  return { outcomes: [...after.keys()].filter((key) => after.get(key) !== (before.get(key) ?? 0)), error };
}

test("a mail is handed to an SMTP server", async () => {
  const server = await startSmtpServer();
  expect(await sendBy(server.url)).toEqual({ outcomes: ["ok"], error: null });
  expect(server.taken[0]).toContain("Subject: Oi");
});

test.each<[string, SmtpAnswers, { isAccountError: boolean; isRetryable: boolean; isUncertain: boolean }]>([
  [
    "a refused password",
    { AUTH: "535 5.7.8 authentication failed" },
    { isAccountError: true, isRetryable: false, isUncertain: false },
  ],
  [
    "a login that passes",
    { AUTH: "454 4.7.0 later" },
    { isAccountError: false, isRetryable: true, isUncertain: false },
  ],
  [
    "a refused sender",
    { MAIL: "553 sender not allowed" },
    { isAccountError: true, isRetryable: false, isUncertain: false },
  ],
  [
    "a mail too large",
    { MAIL: "552 too large" },
    { isAccountError: false, isRetryable: false, isUncertain: false },
  ],
  [
    "an address nobody has",
    { RCPT: "550 no such user" },
    { isAccountError: false, isRetryable: false, isUncertain: false },
  ],
  ["a full mailbox", { RCPT: "452 full" }, { isAccountError: false, isRetryable: true, isUncertain: false }],
  [
    "a login that it does not know",
    { AUTH: "500 what" },
    { isAccountError: true, isRetryable: false, isUncertain: false },
  ],
  [
    "a sender that it does not know",
    { MAIL: "500 what" },
    { isAccountError: true, isRetryable: false, isUncertain: false },
  ],
  [
    "an address that it does not know",
    { RCPT: "500 what" },
    { isAccountError: false, isRetryable: false, isUncertain: false },
  ],
  ["a refused text", { ".": "554 spam" }, { isAccountError: false, isRetryable: false, isUncertain: false }],
])("%s is distinguished from the others", async (_, answers, expected) => {
  const server = await startSmtpServer(answers);
  const outcome = expected.isRetryable ? "failed" : "refused";
  expect(await sendBy(server.url)).toMatchObject({ outcomes: [outcome], error: expected });
});

test.each<[string, SmtpAnswers | null, boolean]>([
  ["nobody listens", null, false],
  ["it ends the connection at the login", { AUTH: HANG_UP }, false],
  ["it ends the connection after the text", { ".": HANG_UP }, true],
])("where %s, whether the server may have accepted the mail is known", async (_, answers, isUncertain) => {
  const url = answers ? (await startSmtpServer(answers)).url : `smtp://127.0.0.1:${await freePort()}`;
  const { outcomes, error } = await sendBy(url);
  expect(outcomes).toEqual(["network"]);
  expect(error).toMatchObject({
    ...{ message: expect.stringMatching(/^sem resposta: /) },
    ...{ isAccountError: false, isRetryable: true, isUncertain },
  });
});

test("of a long answer 500 characters are kept", async () => {
  const server = await startSmtpServer({ RCPT: `550 ${"x".repeat(600)}` });
  await expect(smtpSender(server.url)(outgoing)).rejects.toMatchObject({
    message: expect.stringMatching(/^550: .{494}x$/),
  });
});

longTest(
  "while the server refuses the password mails wait and the operator is called; with a good one they leave",
  async () => {
    const server = await startSmtpServer({ AUTH: "535 5.7.8 authentication failed" });
    const port = await freePort();
    const app = await startApp({
      web: 0,
      env: { RESEND_API_KEY: "", SMTP_URL: server.url, WORKER_METRICS_PORT: String(port) },
    });
    const ids = await Promise.all([makeMail(), makeMail(), makeMail()]);
    const refused = async () =>
      (await scrapeMetrics(port)).value("mail_accounts_refused", { via: "platform" });
    await until(async () => (await refused()) === 1);
    for (const id of ids) expect((await mailRow(id)).status).toBe("attempting");
    expect(app.log().filter(({ msg }) => String(msg).startsWith("an account refuses"))).toHaveLength(1);
    const attempts = server.tries.length;
    expect(attempts).toBeLessThanOrEqual(ids.length);

    delete server.answers.AUTH;
    await until(async () => {
      await retryPausedMails();
      return server.taken.length === ids.length;
    });
    await until(async () => (await refused()) === 0);
    await until(async () => (await Promise.all(ids.map(mailRow))).every(({ status }) => status === "sent"));
    // A server has no rate limit: no slots are reserved there.
    expect(await sql`select from mail_paces`).toEqual([]);
  },
);
