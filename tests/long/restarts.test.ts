import { test } from "vitest";
import { surviveRestarts } from "#tests/long/restarts.ts";

test("twenty restarts of each kind and hundreds of ended backends, under traffic", () =>
  surviveRestarts("many-restarts", { fast: 20, immediate: 20, terminations: 40 }));
