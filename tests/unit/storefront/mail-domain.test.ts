import { expect, test } from "vitest";
import { likelyMail } from "#app/kit/mail-domain.ts";

test.each([
  ["gmial.com", "gmail.com"],
  ["gmail.co", "gmail.com"],
  ["gmail.com.br", null],
  ["hotmial.com", "hotmail.com"],
  ["outlok.com", "outlook.com"],
  ["yaho.com.br", "yahoo.com.br"],
  ["uol.com.br", null],
  ["empresa.com.br", null],
  ["ymail.com", null],
  ["mail.com", null],
  ["", null],
])("ana@%s suggests %s", (typed, better) => {
  expect(likelyMail(`ana@${typed}`)).toBe(better && `ana@${better}`);
});
