import { afterEach } from "vitest";
import { closePages } from "#tests/support/browser.ts";

afterEach(closePages);
