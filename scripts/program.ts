import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * On a machine with much memory V8 lets a process grow to four times what it uses before it collects, and 128 MB of new objects.
 * With these it collects earlier. Neither limits what a process may hold.
 */
const HEAP = ["--max-semi-space-size=32", "--heap-growing-percent=100"] as const;

/** The programs of the product, as `package.json`, the Dockerfile and compose.yaml start them. */
export const PROGRAMS = {
  web: [...HEAP, "node_modules/@remix-run/serve/dist/cli.js", "./build/index.js"],
  worker: [...HEAP, "build/worker.js"],
  sandbox: ["sandbox/server.ts"],
} as const;

const PRELOADED = ["load-quickly", "die-with-parent"].flatMap((file) => ["--import", `./scripts/${file}.ts`]);

/**
 * A Node program of ours as a child process: it can be started, killed and started again, and its output is collected by
 * line.
 */
export type Program = {
  readonly name: string;
  readonly pid: number | undefined;
  readonly running: boolean;
  /** Every line on stdout and stderr since the first start, unless `onLine` receives them. */
  readonly lines: string[];
  start(): void;
  /** Sends it a message. */
  send(message: string): void;
  /** Sends it a message and resolves with the next one it sends. */
  ask(message: string): Promise<unknown>;
  /** SIGKILL, like a crash. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to stop, with SIGTERM by default. Resolves with the exit code when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/**
 * @param args arguments for `node`; see `PROGRAMS`
 * @param options.onLine each line as it arrives · options.onExit when it exited by itself, neither killed nor stopped by us
 * · options.folder where it runs
 */
export function program(
  name: string,
  args: readonly string[],
  environment: Record<string, string | undefined>,
  options: { onLine?: (line: string) => void; onExit?: (code: number | null) => void; folder?: string } = {},
): Program {
  const lines: string[] = [];
  let child: ChildProcess | undefined;
  let gone: Promise<number | null> = Promise.resolve(null);
  let isStopping = false;

  function end(signal: NodeJS.Signals) {
    isStopping = true;
    child?.kill(signal);
    return gone;
  }

  return {
    name,
    lines,
    get pid() {
      return child?.pid;
    },
    get running() {
      return child !== undefined;
    },
    start() {
      if (child) throw new Error(`${name} is already running`);
      isStopping = false;
      const started = spawn(process.execPath, [...PRELOADED, ...args], {
        // The first is set before a file is read: the preloaded files are TypeScript, whose parser takes 30 ms. The second is
        // explained in the Dockerfile.
        env: {
          NODE_COMPILE_CACHE: ".cache/compiled",
          MALLOC_ARENA_MAX: "2",
          ...(environment as NodeJS.ProcessEnv),
        },
        cwd: options.folder,
        // A session of its own: Ctrl-C reaches only us, and we stop things in their order.
        detached: true,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) {
        createInterface({ input: stream! }).on("line", (line) => {
          if (options.onLine) options.onLine(line);
          else lines.push(line);
        });
      }
      gone = new Promise((done) => {
        started.once("error", () => done(null));
        started.once("close", (code) => done(code));
      });
      void gone.then((code) => {
        child = undefined;
        if (!isStopping) options.onExit?.(code);
      });
    },
    send(message) {
      child?.send(message);
    },
    async ask(message) {
      if (!child) throw new Error(`${name} is not running`);
      const answered = once(child, "message");
      child.send(message);
      return (await answered)[0];
    },
    async kill() {
      await end("SIGKILL");
    },
    stop: (signal = "SIGTERM") => end(signal),
  };
}
