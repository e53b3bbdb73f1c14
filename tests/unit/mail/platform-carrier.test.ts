import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const code = `import { platformCarrier } from "#app/domain/mail/sending/senders/platform.server.ts";
  const outgoing = { id: "1", idempotencyKey: "purchase/1", mail: { to: "nobody" } };
  const refusal = await platformCarrier.send(outgoing).catch((error) => error);
  console.log(JSON.stringify({ ...platformCarrier, ...refusal, needsAction: refusal.needsAction }));`;

/** The platform's account in a process of these settings, and how it refuses a mail that calls nobody. */
async function carrierOf(settings: Record<string, string>) {
  const env = { ...process.env, NODE_OPTIONS: "", RESEND_API_KEY: "", SMTP_URL: "", ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
    env,
  });
  return JSON.parse(stdout);
}

test("an SMTP server has no rate limit, and without any account mails wait until the operator sets one", async () => {
  const [smtp, none] = await Promise.all([carrierOf({ SMTP_URL: "smtp://localhost:1" }), carrierOf({})]);
  expect(smtp).toMatchObject({ account: expect.stringMatching(/^[0-9a-f]{64}$/), isPaced: false });
  expect(smtp).toMatchObject({ isRetryable: false, isAccountError: false });
  expect(none).toMatchObject({
    ...{ account: "none", isPaced: false },
    ...{ isRetryable: false, isAccountError: true, needsAction: true },
  });
});
