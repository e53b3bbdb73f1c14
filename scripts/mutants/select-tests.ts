import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const TESTS = "tests/{structure,unit,sandbox,integration}/**/*.test.{ts,tsx}";
/** What drives the built app and not its modules: whatever it tests, it imports this. */
const DRIVES_THE_APP = "tests/support/app.ts";

/** Which files import a file, near ones first: the graph of all imports, made once. */
export class TestSelection {
  private readonly importers = new Map<string, string[]>();
  private readonly tests = new Set(globSync(TESTS));

  constructor() {
    for (const file of globSync("{app,scripts,sandbox,tests}/**/*.{ts,tsx}"))
      for (const to of importsOf(file)) this.importers.set(to, [...(this.importers.get(to) ?? []), file]);
  }

  /**
   * The tests that reach a file by imports, nearest first, `most` of them; then those that drive the app and stand in a
   * folder named as one of the file's. @returns paths
   */
  testsFor(file: string, most: number): string[] {
    const near = this.reaching(file).slice(0, most);
    const rooms = new Set(dirname(file).split("/").slice(1));
    const driving = this.reaching(DRIVES_THE_APP).filter((test) =>
      test.split("/").some((folder) => rooms.has(folder.replace(/\.test\.tsx?$/, ""))),
    );
    return [...new Set([...near, ...driving.slice(0, most)])];
  }

  /** Breadth first. */
  private reaching(file: string): string[] {
    const seen = new Set([file]);
    const found: string[] = [];
    for (let edge = [file]; edge.length > 0; ) {
      const next = edge.flatMap((one) => this.importers.get(one) ?? []).filter((one) => !seen.has(one));
      edge = [...new Set(next)];
      for (const one of edge) seen.add(one);
      found.push(...edge.filter((one) => this.tests.has(one)));
    }
    return found;
  }
}

/** The files of the repository that a file imports, also where it does so later. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*["']([#.][^"']+)["']/g)].map(([, name]) => name!);
  return named.flatMap((name) => {
    const path = name.startsWith("#") ? name.slice(1) : normalize(join(dirname(file), name));
    return existsSync(path) && statSync(path).isFile() ? [path] : [];
  });
}
