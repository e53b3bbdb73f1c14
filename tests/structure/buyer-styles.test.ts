import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "app/ui/buyer/styles";

test("a class of the buyers' pages is styled in one file: all of them are one stylesheet, where a second meaning overrides the first", () => {
  const homes = new Map<string, Set<string>>();
  for (const file of readdirSync(FOLDER))
    for (const [, name] of readFileSync(join(FOLDER, file), "utf8").matchAll(/^\.([a-z-]+) \{/gm))
      homes.set(name!, (homes.get(name!) ?? new Set()).add(file));
  expect(homes.size).toBeGreaterThan(50);
  expect([...homes].filter(([, files]) => files.size > 1).map(([name]) => name)).toEqual([]);
});
