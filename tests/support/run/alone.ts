import { globSync, readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * What a test changes in its process permanently: its environment, a module, the known providers, Node's own HTTP
 * server.
 */
const LASTING = [
  /\bprocess\.env\.\w+ = /,
  /\bvi\.(?:mock|resetModules)\(/,
  /\bproviders\[[^\]]+\] = /,
  /\b(?:guardRequests|serveResourceRoutes)\(/,
  // The built app is a second one in the process, with listeners of its own.
  /\bresolve\("build\/index\.js"\)/,
];
const IMPORTED = /^(?:import|export) (?!type )[^;]*?"#(tests\/[^"]+)"/gm;

/** The integration tests with permanent changes, their own or those of what they import of `tests/`: a process each. */
export function filesAlone(): string[] {
  const known = new Map<string, boolean>();
  const changes = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    // Files that import each other.
    known.set(file, false);
    const text = readFileSync(file, "utf8");
    const imported = [...text.matchAll(IMPORTED)].map(([, name]) => name!);
    known.set(file, LASTING.some((one) => one.test(text)) || imported.some(changes));
    return known.get(file)!;
  };
  return globSync("tests/integration/**/*.test.{ts,tsx}").sort().filter(changes);
}

/** Starts the app with an environment or a database of its own. */
const OWN_APP = /\bstartApp\(\{[^;]*?\b(?:env|databaseUrl)\b/;

/** Files with an app of their own run last: before and after each of them, the app that the others share is started anew. */
export class OwnAppsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOwn = ({ moduleId }: TestSpecification) => OWN_APP.test(readFileSync(moduleId, "utf8"));
    return [...sorted.filter((file) => !isOwn(file)), ...sorted.filter(isOwn)];
  }
}
