import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { freePort } from "#scripts/ports.ts";
import { figure } from "./figure.ts";

const FOLDER = ".cache/bench/start";

/**
 * Time of `npm start` on a built tree until its greeting, which is printed once the shop answers: with an empty data
 * folder, and with an existing one.
 */
export async function benchStart(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const _ of [1, 2]) {
    const { milliseconds, empty } = await timeStart();
    const name = empty ? "npm start on an empty machine" : "npm start with its data there";
    figure(name, milliseconds / 1000, { atMost: 5 }, " s");
  }
  rmSync(FOLDER, { recursive: true, force: true });
}

async function timeStart(): Promise<{ milliseconds: number; empty: boolean }> {
  const [PORT, SANDBOX_PORT] = [String(await freePort()), String(await freePort())];
  const env = { ...process.env, NODE_ENV: "production", DATABASE_URL: "", APP_URL: "", DATA_DIR: FOLDER };
  const start = performance.now();
  const child = spawn("npm", ["start"], {
    env: { ...env, PORT, SANDBOX_PORT } as NodeJS.ProcessEnv,
    // A process group of its own, ended as Ctrl-C ends it.
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  let empty = false;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes("Criando a loja")) empty = true;
      if (line.includes("está no ar")) return { milliseconds: performance.now() - start, empty };
    }
    throw new Error("npm start ended by itself");
  } finally {
    child.stdout.resume();
    if (child.exitCode === null) process.kill(-child.pid!, "SIGINT");
    await gone;
  }
}
