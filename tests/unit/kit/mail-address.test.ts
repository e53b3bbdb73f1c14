import { expect, test } from "vitest";
import { isDomainName, isMailAddress } from "#app/kit/mail-address.ts";

test.each([
  "ana@exemplo.com.br",
  "ana.souza+loja@exemplo.com.br",
  "o'neil@exemplo.ie",
  "a_b-c@sub.dominio.exemplo.co.uk",
  "1@2.com",
  "ANA@EXEMPLO.COM",
  "info@xn--mller-kva.de",
  "info@exemplo.xn--p1ai",
  "vendedora@loja.museum",
  `${"a".repeat(64)}@exemplo.com`,
])("%s is an e-mail address", (address) => {
  expect(isMailAddress(address)).toBe(true);
});

test.each([
  "",
  "@",
  "ana",
  "ana@",
  "@exemplo.com",
  "ana@exemplo",
  "ana@@exemplo.com",
  "ana@exemplo.com@outro.com",
  "a,vitima@x.co",
  "<vitima@x.co>",
  "Ana <vitima@x.co>",
  "a;vitima@x.co",
  '"a"@x.co',
  "a(b)@x.co",
  "a:b@x.co",
  "a\\b@x.co",
  "a@[127.0.0.1]",
  "a@127.0.0.1",
  "a%b@x.co",
  "x!y@x.co",
  "a b@x.co",
  "a\tb@x.co",
  "a@x.co\n",
  "a\u0000@x.co",
  "a\u200b@x.co",
  "a\u202e@x.co",
  "ａ@x.co",
  ".a@x.co",
  "a.@x.co",
  "a..b@x.co",
  "a@.x.co",
  "a@x..co",
  "a@x.co.",
  "a@-x.co",
  "a@x-.co",
  "a@x_y.co",
  "a@x.c",
  "a@x.c1",
  "a@exämple.de",
  `${"a".repeat(65)}@exemplo.com`,
  `a@${"b".repeat(64)}.com`,
  `a@${"b.".repeat(126)}com`,
])("%s is no e-mail address", (address) => {
  expect(isMailAddress(address)).toBe(false);
});

test("a domain's name has two labels or more", () => {
  expect(["loja.com.br", "a.co", "xn--po-lja.com"].map(isDomainName)).toEqual([true, true, true]);
  expect(
    ["", "localhost", "loja..br", "loja.com.", "https://loja.com", "1.2.3.4"].filter(isDomainName),
  ).toEqual([]);
});
