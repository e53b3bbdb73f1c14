import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { MAIL_DICTIONARY } from "#app/domain/mail/queue/mail-dictionary.ts";

test("the dictionary stays as it is: waiting mails were written with it", () => {
  const hash = createHash("sha256").update(MAIL_DICTIONARY).digest("hex");
  expect(hash).toBe("992a06f08b1de2c7cbde9567c03c079576e03e256f6a9ce420c1ce059637f7e5");
});
