import { expect, test } from "vitest";
import { retryPausedMails } from "#app/domain/mail/sending/retry-mails.server.ts";
import { smtpSender } from "#app/domain/mail/sending/senders/smtp.server.ts";
import { freePort } from "#scripts/ports.ts";
import { type SmtpAnswers, startSmtpServer } from "#tests/integration/mail/smtp-server.ts";
import { scrapeMetrics } from "#tests/integration/metrics/metrics.ts";
import { startApp } from "#tests/support/app.ts";
import { mailRow, makeMail } from "#tests/support/rows/make-mail.ts";
import { until } from "#tests/support/until.ts";

const mail = {
  from: "Loja <loja@exemplo.com.br>",
  to: "ana@exemplo.com.br",
  subject: "Oi",
  html: "<p>Oi</p>",
  text: "Oi",
};
const outgoing = { id: "1", idempotencyKey: "purchase/1", mail };

test("a mail is handed to an SMTP server", async () => {
  const server = await startSmtpServer();
  await smtpSender(server.url)(outgoing);
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
  ["a refused text", { ".": "554 spam" }, { isAccountError: false, isRetryable: false, isUncertain: false }],
])("%s is distinguished from the others", async (_, answers, expected) => {
  const server = await startSmtpServer(answers);
  await expect(smtpSender(server.url)(outgoing)).rejects.toMatchObject(expected);
});

test("while the server refuses the password mails wait and the operator is called; with a good one they leave", async () => {
  const server = await startSmtpServer({ AUTH: "535 5.7.8 authentication failed" });
  const port = await freePort();
  const app = await startApp({
    web: 0,
    env: { RESEND_API_KEY: "", SMTP_URL: server.url, WORKER_METRICS_PORT: String(port) },
  });
  const ids = await Promise.all([makeMail(), makeMail(), makeMail()]);
  const refused = async () => (await scrapeMetrics(port)).value("mail_accounts_refused", { via: "platform" });
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
});
