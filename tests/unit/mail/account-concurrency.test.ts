import { expect, test } from "vitest";
import { enterAccount, MAX_CLAIMED_MAILS } from "#app/domain/mail/sending/account-concurrency.ts";

test("an account has ten calls at once in a process, which claims what four accounts can send", () => {
  const releases = Array.from({ length: 11 }, () => enterAccount("busy"));
  expect(releases.slice(0, 10)).not.toContain(null);
  expect(releases[10]).toBeNull();
  const other = enterAccount("other");
  expect(other).not.toBeNull();
  for (const release of [...releases, other]) release?.();
  expect(MAX_CLAIMED_MAILS).toBe(40);
});
