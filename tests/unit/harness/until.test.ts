import { expect, test } from "vitest";
import { until } from "#tests/support/until.ts";

const SOON = { seconds: 0.05, every: 5 };

test("a timeout states what was awaited, and what was found last", async () => {
  await expect(until(() => 0, { ...SOON, what: "a sale" })).rejects.toThrow(
    "waited 0.05 s in vain for a sale. The last answer was 0.",
  );
  const failing = () => {
    throw new Error("nobody listens");
  };
  await expect(until(failing, { ...SOON, what: "an answer" })).rejects.toThrow(
    "waited 0.05 s in vain for an answer. The last try failed: nobody listens",
  );
});

test("without a description, the caller is named and not its source", async () => {
  const waiting = until(async () => undefined, SOON);
  await expect(waiting).rejects.toThrow(
    /^waited 0\.05 s in vain for what tests\/unit\/harness\/until\.test\.ts:\d+ asks for\. The last answer was undefined\.$/,
  );
});
