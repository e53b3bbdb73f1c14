import { expect, test } from "vitest";
import { paths } from "#app/kit/paths.ts";

test("an address keeps the query of a page, and drops one too long for response headers", () => {
  const long = new URLSearchParams(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, "b"])).toString();
  for (const to of [paths.reports, paths.products, (query: string) => paths.sale("s", query)]) {
    expect(to("?range=30d&search=a%20b")).toMatch(/\?range=30d&search=a\+b$/);
    expect(to("")).not.toContain("?");
    expect(to(long)).toBe(to(""));
  }
});
