import { expect, test } from "vitest";
import { readPolicyReports } from "#app/server/pages/policy-reports.ts";

const single = (fields: object) => readPolicyReports(JSON.stringify({ "csp-report": fields }));
const several = (...reports: object[]) => readPolicyReports(JSON.stringify(reports));
const violation = (body?: object) => ({ type: "csp-violation", body });

test("a report in the old format has one of a directive's two names, and the newer counts", () => {
  const both = single({
    "effective-directive": "img-src",
    "violated-directive": "script-src https:",
    "blocked-uri": "inline",
  });
  expect(both).toEqual([{ directive: "img-src", blocked: "inline" }]);
  const older = (name: string) => single({ "violated-directive": name })[0]!.directive;
  expect(older("script-src 'self' https://loja.example")).toBe("script-src");
  expect(older("a-new-directive")).toBe("other");
});

test("of reports in the new format those of a policy count, at most ten", () => {
  const mixed = several(
    { type: "deprecation", body: { effectiveDirective: "img-src" } },
    violation({ effectiveDirective: "font-src", blockedURL: "data" }),
    violation(),
  );
  expect(mixed).toEqual([
    { directive: "font-src", blocked: "data" },
    { directive: "other", blocked: "unknown" },
  ]);
  expect(several(...Array.from({ length: 15 }, () => violation({})))).toHaveLength(10);
});

test.each([
  ["eval", "eval"],
  ["https://espiao.example:8443/x/y.js?cpf=52998224725#z", "https://espiao.example:8443"],
  ["http://espiao.example/x", "http://espiao.example"],
  ["wss://espiao.example/bia", "wss"],
  ["Bia Souza mora em Recife", "unknown"],
  // A hundred characters of what somebody made up.
  [`${"x".repeat(150)}://bia`, "x".repeat(100)],
])("of the blocked address %j no more is read than %j", (address, blocked) => {
  expect(single({ "blocked-uri": address })).toEqual([{ directive: "other", blocked }]);
});

test("what is no report is none", () => {
  for (const body of ["", "x", "7", "null", "{}", "[]", '{"csp-report":1}', '[{"body":{}}]'])
    expect(readPolicyReports(body), body).toEqual([]);
});
