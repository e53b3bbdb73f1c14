import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Times counted from now: a mail may wait for hours, and is read later still. */
const RELATIVE_TIMES =
  /\b(vale por|por mais|dentro de|em até|há) (\d+|uma?|duas|três|meia) (minutos?|horas?|dias?)\b|próxima hora|amanhã|estamos \w+ndo\b/i;

/** The sources of mails: those that render one, and the texts that they take from elsewhere. */
const sources = globSync("app/domain/**/*.ts")
  .map((file) => ({ file, text: readFileSync(file, "utf8") }))
  .filter(
    ({ file, text }) =>
      /mail\/message\/layout\.server|render-seller-mail\.server|queue-request-mails\.server/.test(text) ||
      /security-texts|explain-resend-error|family-texts/.test(file),
  );

test("no mail counts a time from when it is read: it names the moment", () => {
  expect(sources.length).toBeGreaterThan(30);
  const found = sources.flatMap(({ file, text }) => {
    const [wording] = RELATIVE_TIMES.exec(text) ?? [];
    return wording ? [`${file}: ${wording}`] : [];
  });
  expect(found).toEqual([]);
});
