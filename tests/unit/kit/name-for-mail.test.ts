import { expect, test } from "vitest";
import { nameForMail } from "#app/kit/name-for-mail.ts";

const NAMES = [
  "Ana",
  "Dr. Ana",
  "Dr.Ana Prado",
  "J.P. Silva",
  "J.P.Silva",
  "Ana.Souza",
  "ana.souza",
  "Maria d'Ávila",
  "Maria D’Ávila-Neto",
  "João Paulo II",
  "Ana C. de O. Lima",
  "Ana Lima (mãe do Téo)",
  "Loja 24 Horas",
  "Padaria Pão & Cia. Ltda.",
  "Empresa S.A.",
  "Ana c/ Bia",
  "李小龍",
  "José 🎸",
  "Sant'Anna, Ana",
  "Bia: cliente",
];

const ADVERTISEMENTS = [
  "Ganhe R$ 5000 em https://evil.example!",
  "Ganhe em evil.example",
  "visite evil.com.br agora",
  "EVIL.COM",
  "evil.com/ganhe",
  "(evil.com)",
  "evil.com.",
  "ganhe.xyz",
  "пример.рф",
  "xn--e1afmkfd.xn--p1ai",
  "wa.me/5511987654321",
  "t.me/evil",
  "www evil com",
  "www.evil",
  "1.2.3.4",
  "http:evil",
  "mailto:eu",
  "javascript:alert(1)",
  "eu@evil",
  "siga @evil",
  "ｅｖｉｌ．ｃｏｍ",
  "evil。com",
  "evil\u200b.com",
  "evil.\u2060com",
  "evil\u00ad.com",
  "Ligue 11 98765-4321",
  "(11) 9.8765.4321",
  "zap +5511987654321",
  "//evil.com",
  "evil.com\nAna",
];

test("a name stays as it was typed", () => {
  for (const name of NAMES) expect(nameForMail(name), name).toBe(name);
  expect(nameForMail("  Ana \n\t Lima ")).toBe("Ana Lima");
});

test("a name that holds an address or a phone number is not shown", () => {
  for (const name of ADVERTISEMENTS) {
    expect(nameForMail(name), name).toBe("");
    expect(nameForMail(`Ana ${name}`), name).toBe("");
    expect(nameForMail(`${name} Lima`), name).toBe("");
  }
});

test("a name of more than 80 characters is not shown; letters outside the first plane count as one", () => {
  expect(nameForMail("a".repeat(80))).toHaveLength(80);
  expect(nameForMail("a".repeat(81))).toBe("");
  expect(nameForMail("🎸".repeat(80))).toBe("🎸".repeat(80));
  expect(nameForMail("")).toBe("");
});

test("a whole document in the name is not read at all", () => {
  for (const piece of ["a.", "1 ", ". ", "a:", "\u200b"])
    expect(nameForMail(piece.repeat(100_000)), piece).toBe("");
});
