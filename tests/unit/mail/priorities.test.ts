import { expect, test } from "vitest";
import { MAIL_PRIORITY, PRIORITIES } from "#app/domain/mail/queue/priorities.ts";

test("the priorities stay as they are: waiting mails were stored with them", () => {
  expect(PRIORITIES).toEqual([1, 2, 3]);
  expect(MAIL_PRIORITY).toMatchObject({ access: 1, pix: 2, reminder: 3 });
});
