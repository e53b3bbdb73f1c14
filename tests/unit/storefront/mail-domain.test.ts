import { expect, test } from "vitest";
import { nearMailDomain } from "#app/kit/mail-domain.ts";

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
])("%s suggests %s", (typed, better) => {
  expect(nearMailDomain(typed)).toBe(better);
});
