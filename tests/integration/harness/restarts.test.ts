import { test } from "vitest";
import { surviveRestarts } from "#tests/support/restarts.ts";

test(
  "Postgres is restarted and its backends are ended under traffic: nothing of ours ends, everybody is answered",
  {
    timeout: 180_000,
  },
  () => surviveRestarts("restarts", { fast: 1, immediate: 1, terminations: 2 }),
);
