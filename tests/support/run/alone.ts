import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { sharesWorker } from "./files-of-process.ts";

/**
 * What a test changes in its process permanently: its environment, a module, the known providers, Node's own HTTP
 * server.
 */
const LASTING = [
  // The app keeps the keys that a provider signs with, and fetches others once a minute.
  /\brotateKey\b/,
  /\bprocess\.env\.\w+ = /,
  /\bvi\.(?:mock|resetModules)\(/,
  /\bproviders\[[^\]]+\] = /,
  /\b(?:logRequests|scheduleRequests)\(/,
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

/**
 * How a file has processes of its own: it starts the app with an environment or a database, or without a sandbox; or is a web
 * process itself. Each of these ends what files before it left to share.
 */
const OWN_PROCESSES = /\bstartApp\(\{[^;]*?(?:\b(?:env|databaseUrl)\b|\bsandbox: false\b)|\bopenRigs/;

/**
 * Of each project, files with processes of their own run first, then those that share a worker, then all others. With
 * `--sequence.shuffle.files` the order is random.
 */
export class SharedAppLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const place = ({ moduleId }: TestSpecification) => hash("md5", `${seed} ${moduleId}`);
    if (shuffle) return files.sort((a, b) => place(a).localeCompare(place(b)));
    const turn = ({ moduleId }: TestSpecification) => {
      if (OWN_PROCESSES.test(readFileSync(moduleId, "utf8"))) return 0;
      return sharesWorker(moduleId) ? 1 : 2;
    };
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((own) => own.toSorted((a, b) => turn(a) - turn(b)));
  }
}
