import { expect, test } from "vitest";
import { likelyAddress } from "#app/kit/mail-domain.ts";

test.each([
  ["gmial.com", "gmail.com"],
  ["gmail.co", "gmail.com"],
  ["gmail.com.br", "gmail.com"],
  ["Gmail.com.BR", "gmail.com"],
  ["gmail.combr", "gmail.com"],
  ["gmail.com.b", "gmail.com"],
  ["gmial.com.br", "gmail.com"],
  ["gamil.con", "gmail.com"],
  ["icloud.com.br", "icloud.com"],
  ["globo.com.br", "globo.com"],
  ["msn.com.br", "msn.com"],
  ["hotmial.com", "hotmail.com"],
  ["hotmail.combr", "hotmail.com.br"],
  ["hotmail.com.b", "hotmail.com.br"],
  ["hotmai.com.br", "hotmail.com.br"],
  ["outlok.com", "outlook.com"],
  ["yaho.com.br", "yahoo.com.br"],
  ["yahoo.con.br", "yahoo.com.br"],
  ["uol.com", "uol.com.br"],
  ["uol.combr", "uol.com.br"],
  ["bol.com", "bol.com.br"],
  ["ig.com", "ig.com.br"],
])("ana@%s suggests %s", (typed, better) => {
  expect(likelyAddress(`ana@${typed}`)).toBe(`ana@${better}`);
});

test.each(
  "gmail.com hotmail.com hotmail.com.br outlook.com outlook.com.br yahoo.com yahoo.com.br icloud.com live.com live.com.br msn.com globo.com uol.com.br bol.com.br terra.com.br ig.com.br oi.com.br r7.com zipmail.com.br globomail.com ymail.com mail.com me.com proton.me protonmail.com aol.com email.com email.com.br amil.com.br lg.com.br ge.com serra.com.br tetra.com.br cloud.com hotmail.es hotmail.co.uk outlook.pt yahoo.ca yahoo.com.ar yahoo.com.tr yahoo.com.mx empresa.com.br gmail".split(
    " ",
  ),
)("no suggestion is made for ana@%s, which exists or may", (domain) => {
  expect(likelyAddress(`ana@${domain}`)).toBeNull();
});

test("no suggestion is made for an incomplete address", () => {
  expect(["", "ana", "ana@", "@gmial.com"].map(likelyAddress)).toEqual([null, null, null, null]);
});
