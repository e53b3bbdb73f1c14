import { expect, test } from "vitest";
import { cleanDocument, formatDocument, isValidDocument } from "#app/kit/documents.ts";
import { safeReturnTo } from "#app/kit/paths.ts";
import { formatPhone, parsePhone } from "#app/kit/phone.ts";
import { SLUG_PATTERN, slugify } from "#app/kit/slug.ts";

test.each([
  "529.982.247-25",
  "11144477735",
  "12ABC34501DE35",
  "12.abc.345/01de-35",
  "AA345678000A29",
  "11222333000181",
  "\u00a0529\u2009982\u202f247\u201325 ",
  "529 . 982 . 247 \u2014 25",
  "529\u00b7982\u00b7247\u221225\u200b",
  "\uff15\uff12\uff19\uff19\uff18\uff12\uff12\uff14\uff17\uff12\uff15",
  "12\u2024ABC\u2024345\u204401DE\u201035",
  "52998224725\r\n",
  "CPF: 529.982.247-25",
  "cpf/cnpj 11.222.333/0001-81",
  "12.ABC.345/01DE-35 (CNPJ)",
])("%s is a document", (document) => {
  expect(isValidDocument(document)).toBe(true);
});

test.each([
  "52998224724",
  "11111111111",
  "00000000000000",
  "12ABC34501DE36",
  "123",
  "",
  "12ABC34501DEXX",
  "CPF 52998224724",
  "RG 52998224725",
])("%s is no document", (document) => {
  expect(isValidDocument(document)).toBe(false);
});

test("documents are shown with their punctuation", () => {
  expect(formatDocument("52998224725")).toBe("529.982.247-25");
  expect(formatDocument(cleanDocument("12.abc.345/01de-35"))).toBe("12.ABC.345/01DE-35");
});

test.each([
  ["(11) 98765-4321", "+5511987654321"],
  ["11 3456-7890", "+551134567890"],
  ["+55 11 98765-4321", "+5511987654321"],
  ["55 11 98765 4321", "+5511987654321"],
  ["011987654321", "+5511987654321"],
  ["55987654321", "+5555987654321"],
  ["+351 912 345 678", "+351912345678"],
  ["\u202a+55 11 98765\u20114321\u202c", "+5511987654321"],
  ["+55\u00a0(11)\u00a098765\u20134321", "+5511987654321"],
  ["\uff0b55 11 98765-4321", "+5511987654321"],
  ["+55 (011) 98765.4321", "+5511987654321"],
  ["0055 11 98765-4321", "+5511987654321"],
  ["(055) 99876-5432", "+5555998765432"],
  ["\u200e+351 912\u2009345\u2009678", "+351912345678"],
  ["(20) 98765-4321", null],
  ["11 8765-4321", null],
  ["98765-4321", null],
  ["", null],
])("the phone %s is %s", (typed, phone) => {
  expect(parsePhone(typed)).toBe(phone);
});

test("phones are shown the Brazilian way", () => {
  expect(formatPhone("+5511987654321")).toBe("(11) 98765-4321");
  expect(formatPhone("+351912345678")).toBe("+351912345678");
});

test("a name becomes a slug", () => {
  expect(slugify("Curso de Violão: do zero!")).toBe("curso-de-violao-do-zero");
  expect(slugify("¡!")).toBe("");
  expect(slugify(`${"a".repeat(79)} b`)).toMatch(SLUG_PATTERN);
});

test.each([
  "https://mal.example",
  "//mal.example",
  "/\\mal.example",
  "javascript:alert(1)",
  "",
  null,
  undefined,
  7,
  "/\t/mal.example",
])("nobody is redirected back to %s", (address) => {
  expect(safeReturnTo(address, "/dashboard")).toBe("/dashboard");
});

test("a path of ours is gone back to", () => {
  expect(safeReturnTo("/products?page=2", "/dashboard")).toBe("/products?page=2");
});
