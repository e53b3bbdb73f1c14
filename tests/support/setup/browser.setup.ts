import { afterEach } from "vitest";
import { closePages } from "#tests/support/clients/browser.ts";

afterEach(closePages);
