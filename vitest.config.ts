import { defineConfig } from "vitest/config";

/**
 * Integration tests that leave something in `#app`'s modules, such as rigs, counters and changed settings, or in Node's: a process each.
 * The files of all others share one, which reads the app once.
 */
export const ALONE = [
  "database",
  "door",
  "harness",
  "histories",
  "scenarios",
  "outside",
  "providers",
  "isolation",
  "jobs/reseal",
]
  .concat(["gateways/part-refund", "mail/news", "mail/opened-links"])
  .map((place) => `tests/integration/${place}{.test.ts,/**/*.test.{ts,tsx}}`);
const INTEGRATION_FILES = ["tests/integration/**/*.test.{ts,tsx}"];

/** A process a file: each reads the app and its libraries. */
const QUICKLY = ["--import", "./scripts/load-quickly.ts"];

/** Before the first file: one PostgreSQL for all, and whether the build is of these sources. */
const GLOBAL = ["tests/support/build.setup.ts", "tests/support/postgres.setup.ts"];
const OWN_DATABASE = ["tests/support/database.setup.ts", "tests/support/quiet.setup.ts"];
const WITH_BROWSER = [...OWN_DATABASE, "tests/support/browser.setup.ts"];

const INTEGRATION = {
  execArgv: QUICKLY,
  globalSetup: GLOBAL,
  setupFiles: OWN_DATABASE,
  // When a test is given up, not how long it may take: a busy machine is five times as slow as a quiet one.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: 4,
  sequence: { groupOrder: 3 },
};

/**
 * `integration`, `shared`, `journeys` and `long` have one PostgreSQL (tests/support/postgres.setup.ts) and clone a database per file;
 * `sandbox` needs none, nor do `unit` and `structure`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "structure",
          // Files of these two share a process: nothing in them is changed for good.
          isolate: false,
          include: ["tests/structure/**/*.test.ts"],
          globalSetup: ["tests/support/build.setup.ts"],
          setupFiles: ["tests/support/quiet.setup.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "unit",
          isolate: false,
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/support/unit.setup.ts", "tests/support/quiet.setup.ts"],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "sandbox",
          isolate: false,
          include: ["tests/sandbox/**/*.test.ts"],
          setupFiles: ["tests/support/quiet.setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { ...INTEGRATION, name: "integration", include: ALONE } },
      {
        test: { ...INTEGRATION, name: "shared", include: INTEGRATION_FILES, exclude: ALONE, isolate: false },
      },
      {
        test: {
          name: "journeys",
          execArgv: QUICKLY,
          include: ["tests/journeys/**/*.test.ts"],
          globalSetup: GLOBAL,
          setupFiles: WITH_BROWSER,
          // Files of a process have one browser.
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: "long",
          include: ["tests/long/**/*.test.ts"],
          globalSetup: GLOBAL,
          setupFiles: WITH_BROWSER,
          testTimeout: 30 * 60_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
