import { expect, test } from "vitest";
import { sweepMails } from "#app/domain/mail/outbox/sweep-mails.server.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";
import { attempt, mailRow, makeMail, makeOwnSender } from "#tests/support/make-mail.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 0 });
const sweep = () => sweepMails.handle({}, { number: 1, last: false });
const taken = async (id: string) => app.sandbox.emails((await mailRow(id)).recipient);

async function jobsOf(id: string) {
  return sql`select attempts from graphile_worker.jobs where key = ${`send-mail:${id}`} and attempts < max_attempts`;
}

/** A mail whose worker was killed in its last try, after the call: the provider has it, our row does not know. */
async function abandoned({ age = "20 minutes", lost = true, via = {} as object } = {}) {
  const id = await makeMail(via);
  if (lost) {
    await app.sandbox.fault({ service: "resend", mode: "reset", after: true });
    await attempt(id);
  }
  await sql`update mails set status = 'attempting', error = null, unsure_since = null,
    claimed_at = now() - ${age}::interval, created_at = now() - ${age}::interval where id = ${id}`;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`send-mail:${id}`}`;
  return id;
}

test("a mail that was left in the middle gets one job again, and arrives once", async () => {
  const id = await abandoned();
  expect(await jobsOf(id)).toHaveLength(0);
  await Promise.all([sweep(), sweep(), sweep()]);
  await sweep();
  expect(await jobsOf(id)).toHaveLength(1);
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({ status: "sent", claimed_at: null });
  expect(await taken(id)).toHaveLength(1);
});

test("a mail whose job is still to come, or being done, is left alone", async () => {
  const [waiting, busy] = [await makeMail(), await makeMail()];
  await sql`update mails set created_at = now() - interval '1 hour' where id in ${sql([waiting, busy])}`;
  await sql`update graphile_worker._private_jobs set attempts = 3, run_at = now() + interval '1 day' where key = ${`send-mail:${waiting}`}`;
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, locked_at = now(), locked_by = 'alguem' where key = ${`send-mail:${busy}`}`;
  await sweep();
  expect(await jobsOf(waiting)).toMatchObject([{ attempts: 3 }]);
  expect(await jobsOf(busy)).toHaveLength(0);
});

test("after the provider has forgotten the idempotency key nothing is sent a second time", async () => {
  const id = await abandoned({ age: "25 hours" });
  await sweep();
  expect(await attempt(id)).toBe("done");
  expect(await mailRow(id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("pode ter chegado"),
  });
  expect(await taken(id)).toHaveLength(1);
});

test("a mail left in the middle is not handed to another account, which could make a second copy", async () => {
  const seller = await makeSeller();
  await makeOwnSender(seller);
  const id = await abandoned({
    via: { sellerId: seller.id, via: "seller", from: "Loja <loja@exemplo.com.br>" },
  });
  await app.sandbox.fault({ service: "resend", mode: "status-401" });
  await attempt(id);
  expect(await mailRow(id)).toMatchObject({ via: "seller", unsure_since: expect.any(Date) });
});

test("a mail without a job for days ends as failed", async () => {
  const id = await abandoned({ age: "4 days", lost: false });
  await Promise.all([sweep(), sweep()]);
  expect(await mailRow(id)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("interrompido"),
  });
  expect(await jobsOf(id)).toHaveLength(0);
});

test("a worker that is killed between claim and answer leaves no mail behind", async () => {
  // The fault is for this mail's call, not for one that another test left in the queue or that the clock sweeps up.
  await sql`delete from graphile_worker._private_jobs`;
  await sql`delete from mails`;
  const living = await startApp({ web: 0, worker: 1 });
  await living.sandbox.fault({ service: "resend", route: "emails", mode: "timeout" });
  const id = await makeMail();
  // Not before the call is out: the fault is for this attempt, the next one must be answered.
  await until(async () => (await living.sandbox.calls()).resend.emails > 0);
  await living.worker[0]!.kill();
  await living.worker[0]!.start();
  await until(async () => (await mailRow(id)).status === "sent", {
    seconds: 30,
    what: "the mail to be sent",
  });
  const sent = await mailRow(id);
  expect(sent).toMatchObject({ claimed_at: null, unsure_since: expect.any(Date) });
  expect(sent.attempts, "more than two where the machine is too busy to answer in time").toBeGreaterThan(1);
  expect(await living.sandbox.emails(sent.recipient)).toHaveLength(1);
});
