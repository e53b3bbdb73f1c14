import { expect, test } from "vitest";
import { schemaTables } from "#tests/support/rows/schema-tables.ts";

/** Tables in which a row need not be a seller's, each with why. The others have `seller_id`, never null. */
const WITHOUT: Record<string, string> = {
  sellers: "its key is it",
  buyer_sessions: "a buyer, of whatever sellers",
  erasures: "a buyer, of whatever sellers",
  queue_workers: "the queue's",
  throttles: "counts by keys of the moment",
  dropped_uploads: "half uploads in the bucket, by the id of a file whose row is gone; deleted within days",
  mail_account_pauses: "an account of a mail provider, a seller's or the platform's",
  mail_paces: "an account of a mail provider, a seller's or the platform's",
};
const NULLABLE: Record<string, string> = {
  mails: "some are of no seller: a buyer's link to all their purchases",
  queued_mails: "as its mail",
  mail_hooks: "one is the platform's own",
  mail_events: "what the platform's hook says of a mail that is no seller's",
  idempotency_keys: "unknown until the product is found; a check asks for it beside a sale",
};

test("every table states the seller of each row, or is listed with its reason", () => {
  const found = schemaTables.map((table) => {
    const column = table.columns.find(({ name }) => name === "sellerId");
    return { name: table.name, is: column ? (column.notNull ? "set" : "nullable") : "without" };
  });
  const named = (is: string) => found.flatMap((one) => (one.is === is ? [one.name] : [])).sort();
  expect(named("without")).toEqual(Object.keys(WITHOUT).sort());
  expect(named("nullable")).toEqual(Object.keys(NULLABLE).sort());
  expect(named("set").length).toBeGreaterThan(40);
});
