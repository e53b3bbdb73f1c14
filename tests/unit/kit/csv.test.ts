import { expect, test } from "vitest";
import { csvRow } from "#app/kit/csv.ts";

test("cells are separated by semicolons and a line ends in CRLF", () => {
  expect(csvRow(["a", "b c", "1,90"])).toBe("a;b c;1,90\r\n");
});

test("separators, quotes and line breaks inside a cell are quoted", () => {
  expect(csvRow(['diz "oi"; tchau', "a\nb"])).toBe('"diz ""oi""; tchau";"a\nb"\r\n');
});

test.each([
  "＝1+1",
  "﹢1",
  "－2",
  "＠soma",
  "\u22122",
  "\u200b=1+1",
  "\ufeff\u2060 =1+1",
  "\u00a0\u3000＝1+1",
  "\u0301=1",
  "\n=1",
])("%j is text in a spreadsheet too", (text) => {
  const [, cell] = csvRow(["a", text]).split(";");
  expect(cell!.replace(/^"/, "").startsWith("'")).toBe(true);
});

test.each(["Ana = Bia", "à vista", "5-2", "ação", "日本"])("%j stays unchanged", (text) => {
  expect(csvRow([text])).toBe(`${text}\r\n`);
});

test("what a spreadsheet would read as a formula is text", () => {
  expect(csvRow(["=1+1", "+55", "-2", "@soma", "\t=1", " =1"])).toBe("'=1+1;'+55;'-2;'@soma;'\t=1;' =1\r\n");
});
