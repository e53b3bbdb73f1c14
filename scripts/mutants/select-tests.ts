import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const TESTS = "tests/{structure,unit,sandbox,integration}/**/*.test.{ts,tsx}";
/** Imported by every test that drives the built app instead of its modules. */
const DRIVES_THE_APP = "tests/support/app.ts";

/** Which files import a file, nearest first: the graph of all imports, built once. */
export class TestSelection {
  private readonly importers = new Map<string, string[]>();
  private readonly tests = new Set(globSync(TESTS));

  constructor() {
    for (const file of globSync("{app,scripts,sandbox,tests}/**/*.{ts,tsx}"))
      for (const to of importsOf(file)) this.importers.set(to, [...(this.importers.get(to) ?? []), file]);
  }

  /**
   * The tests that reach a file by imports, nearest first, at most `max` of them; then those that drive the app and are in
   * a folder with the same name as one of the file's. @returns paths
   */
  testsFor(file: string, max: number): string[] {
    const near = this.reaching(file).slice(0, max);
    const folders = new Set(dirname(file).split("/").slice(1));
    const driving = this.reaching(DRIVES_THE_APP).filter((test) =>
      test.split("/").some((folder) => folders.has(folder.replace(/\.test\.tsx?$/, ""))),
    );
    return [...new Set([...near, ...driving.slice(0, max)])];
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

/** The files of the repository that a file imports, dynamic imports included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*["']([#.][^"']+)["']/g)].map(([, name]) => name!);
  return named.flatMap((name) => {
    const path = name.startsWith("#") ? name.slice(1) : normalize(join(dirname(file), name));
    return existsSync(path) && statSync(path).isFile() ? [path] : [];
  });
}
