import { defineConfig } from "vitest/config";
import { filesAlone, SharedAppLast } from "./tests/support/run/alone.ts";

/**
 * Integration tests that change their process permanently have one each; all others share a few, which load the app once.
 */
const ISOLATED_TESTS = filesAlone();
const INTEGRATION_FILES = ["tests/integration/**/*.test.{ts,tsx}"];

/**
 * When a test is aborted, not how long it may take: a busy machine is ten times as slow as a quiet one. What a test
 * waits for has less time (here, in `until` and in `openPage`), so that the message names it.
 */
const LIMITS = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 180_000 } } };

/**
 * Each process of tests loads the app and its libraries. With more room for new objects it takes a tenth less processor time
 * (measured alternately).
 */
const FAST_LOADER = [
  ...["--min-semi-space-size=32", "--max-semi-space-size=64", "--initial-old-space-size=512"],
  ...["--import", "./scripts/load-quickly.ts"],
];

/** Before the first file: one PostgreSQL for all, and a check that the build is current. */
const GLOBAL = ["tests/support/setup/build.setup.ts", "tests/support/setup/postgres.setup.ts"];
const OWN_DATABASE = ["tests/support/setup/database.setup.ts", "tests/support/setup/quiet.setup.ts"];
const WITH_BROWSER = [...OWN_DATABASE, "tests/support/setup/browser.setup.ts"];

const INTEGRATION = {
  execArgv: FAST_LOADER,
  globalSetup: GLOBAL,
  setupFiles: OWN_DATABASE,
  ...LIMITS,
  maxWorkers: 4,
  sequence: { groupOrder: 3 },
};

/**
 * `isolated`, `shared`, `journeys` and `long` share one PostgreSQL (tests/support/setup/postgres.setup.ts), where each file
 * gets a database of its own or an emptied one; `sandbox`, `unit` and `structure` need none.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: SharedAppLast },
    experimental: { fsModuleCache: true, fsModuleCachePath: ".cache/vitest" },
    projects: [
      {
        test: {
          name: "structure",
          // Files of these two share a process: nothing in them is changed permanently.
          isolate: false,
          include: ["tests/structure/**/*.test.ts"],
          globalSetup: ["tests/support/setup/build.setup.ts"],
          setupFiles: ["tests/support/setup/quiet.setup.ts"],
          ...LIMITS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "unit",
          isolate: false,
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          setupFiles: ["tests/support/setup/unit.setup.ts", "tests/support/setup/quiet.setup.ts"],
          ...LIMITS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "sandbox",
          isolate: false,
          include: ["tests/sandbox/**/*.test.ts"],
          setupFiles: ["tests/support/setup/quiet.setup.ts"],
          ...LIMITS,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { ...INTEGRATION, name: "isolated", include: ISOLATED_TESTS } },
      {
        test: {
          ...INTEGRATION,
          name: "shared",
          include: INTEGRATION_FILES,
          exclude: ISOLATED_TESTS,
          isolate: false,
        },
      },
      {
        test: {
          name: "journeys",
          execArgv: FAST_LOADER,
          include: ["tests/journeys/**/*.test.ts"],
          globalSetup: GLOBAL,
          setupFiles: WITH_BROWSER,
          // Files of one process share a browser.
          isolate: false,
          ...LIMITS,
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
          ...LIMITS,
          testTimeout: 30 * 60_000,
          maxWorkers: 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
