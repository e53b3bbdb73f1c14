import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const TESTS = "tests/{structure,unit,sandbox,integration}/**/*.test.{ts,tsx}";
/** Imported by every test that drives the built app instead of its modules. */
const DRIVES_THE_APP = "tests/support/app.ts";
/** Imported by every test that reads what a build made. */
const NEEDS_BUILD = "tests/support/run/need-build.ts";

/** Which files import a file, nearest first: the graph of all imports, built once. */
export class TestSelection {
  private readonly importers = new Map<string, string[]>();
  private readonly tests = new Set(globSync(TESTS));
  private readonly built: Set<string>;

  constructor() {
    for (const file of globSync("{app,scripts,sandbox,tests}/**/*.{ts,tsx}"))
      for (const to of importsOf(file)) this.importers.set(to, [...(this.importers.get(to) ?? []), file]);
    this.built = new Set(this.reaching(NEEDS_BUILD));
  }

  /**
   * The tests that reach a file by imports, nearest first, of equally near ones those with a word of the file's path in their own
   * first: all unit tests, which take no time, and at most `max` others; then those that drive the app and have such a word of its
   * folders. @returns paths
   */
  testsFor(file: string, max: number): string[] {
    const words = wordsOf(file);
    const reaching = this.reaching(file, (test) => !wordsOf(test).some((word) => words.includes(word)));
    const others = reaching.filter((test) => !isUnit(test));
    const near = [...reaching.filter(isUnit), ...others.slice(0, max)];
    const folders = wordsOf(dirname(file));
    const driving = this.reaching(DRIVES_THE_APP).filter((test) =>
      wordsOf(test).some((word) => folders.includes(word)),
    );
    return [...new Set([...near, ...driving.slice(0, max)])];
  }

  /** Whether a test, given by its path, uses the built app. */
  needsBuild = (test: string): boolean => this.built.has(test);

  /** Breadth first, of each step those last that are `unrelated`. */
  private reaching(file: string, unrelated: (test: string) => boolean = () => false): string[] {
    const seen = new Set([file]);
    const found: string[] = [];
    for (let edge = [file]; edge.length > 0; ) {
      const next = edge.flatMap((one) => this.importers.get(one) ?? []).filter((one) => !seen.has(one));
      edge = [...new Set(next)];
      for (const one of edge) seen.add(one);
      const tests = edge.filter((one) => this.tests.has(one));
      found.push(...tests.toSorted((a, b) => Number(unrelated(a)) - Number(unrelated(b))));
    }
    return found;
  }
}

function isUnit(test: string): boolean {
  return test.startsWith("tests/unit/");
}

/** The words of a path below its first folder and without endings of the plural: `order` and `orders` are the same. */
function wordsOf(path: string): string[] {
  const names = path.replace(/\..*$/, "").split("/").slice(1);
  const words = names.filter((name) => !EVERYWHERE.has(name)).flatMap((name) => name.split("-"));
  return words.map((word) => word.replace(/(ies|y|s)$/, ""));
}

/** Folders that say nothing about their files. */
const EVERYWHERE = new Set(["domain", "integration", "unit"]);

/** The files of the repository that a file imports, dynamic imports included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const named = [...text.matchAll(/(?:from|import)\s*\(?\s*["']([#.][^"']+)["']/g)].map(([, name]) => name!);
  return named.flatMap((name) => {
    const path = name.startsWith("#") ? name.slice(1) : normalize(join(dirname(file), name));
    return existsSync(path) && statSync(path).isFile() ? [path] : [];
  });
}
