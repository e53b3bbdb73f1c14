import { expect, test } from "vitest";
import { csvRow } from "#app/kit/csv.ts";

test("cells stand between semicolons and a line ends in CRLF", () => {
  expect(csvRow(["a", "b c", "1,90"])).toBe("a;b c;1,90\r\n");
});

test("separators, quotes and line breaks inside a cell are quoted", () => {
  expect(csvRow(['diz "oi"; tchau', "a\nb"])).toBe('"diz ""oi""; tchau";"a\nb"\r\n');
});

test("what a spreadsheet would take for a formula is text", () => {
  expect(csvRow(["=1+1", "+55", "-2", "@soma", "\t=1", " =1"])).toBe("'=1+1;'+55;'-2;'@soma;'\t=1;' =1\r\n");
});
