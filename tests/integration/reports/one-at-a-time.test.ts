import { expect, test } from "vitest";
import { readReport } from "#app/server/request/read-report.server.ts";

const request = new Request("http://localhost/reports");

test("a seller's reports are read one after the other, another seller's meanwhile; a failed one delays none", async () => {
  const steps: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const read = (sellerId: string, what: string, until: Promise<void> = Promise.resolve()) =>
    readReport(request, sellerId, async () => {
      steps.push(`${what} begins`);
      await until;
      steps.push(`${what} ends`);
      if (what === "second") throw new Error("broken");
      return what;
    }).catch(({ message }: Error) => message);
  const own = [read("a", "first", held), read("a", "second"), read("a", "third")];
  await read("b", "other");
  expect(steps).toEqual(["first begins", "other begins", "other ends"]);
  release();
  expect(await Promise.all(own)).toEqual([
    { report: "first", dataTime: null },
    "broken",
    { report: "third", dataTime: null },
  ]);
  expect(steps.slice(3)).toEqual([
    "first ends",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
});

test("a report whose client has left while it waited is not read", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const client = new AbortController();
  const first = readReport(request, "a", () => held);
  let isRead = false;
  const left = readReport(new Request(request, { signal: client.signal }), "a", async () => {
    isRead = true;
  });
  client.abort();
  release();
  await first;
  await expect(left).rejects.toMatchObject({ kind: "unavailable" });
  expect(isRead).toBe(false);
});
