import { expect, test } from "vitest";
import { DOORS, openScene } from "#tests/integration/payments/doors.ts";
import { startApp } from "#tests/support/app.ts";
import { countStatements } from "#tests/support/database.ts";

await startApp({ web: 0, worker: 0 });

/** What each door may ask of the database for one order and its PIX; more needs a reason. */
const MOST: Record<string, number> = { page: 9, api: 10, "upsell page": 15, "thank-you page": 15 };

test.each(Object.entries(DOORS))(
  "an order by the %s takes a bounded number of statements",
  async (name, door) => {
    await door.knock(await openScene());
    const scene = await openScene();
    const { result, statements } = await countStatements(() => door.knock(scene));
    expect(result.sale).toEqual(expect.any(String));
    expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(MOST[name]!);
  },
);
