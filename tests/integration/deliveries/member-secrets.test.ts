import { expect, test } from "vitest";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { MEMBER_KEY, makeMemberArea } from "#tests/support/rows/make-destination.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 1 });

test("the key in MemberKit's address is in no log line and no row, whatever is answered", async () => {
  const { seller, product } = await openShop();
  const classes = [{ item: String(product.id), ids: [101] }];
  const area = await makeMemberArea(seller, "memberkit", { classes });
  const modes = ["reset", "status-302", "status-422", "http-500", "malformed"] as const;
  for (const mode of modes) {
    // The answer may echo the address.
    const body = { error: `GET /api/v1/users?api_key=${MEMBER_KEY}` };
    await app.sandbox.fault({ service: "memberkit", mode, ...(mode === "status-422" ? { body } : {}) });
    const email = `ana-${mode}@exemplo.com.br`;
    const bought = await buy(product.id, {
      customer: { name: "Ana Souza", email, phone: null, document: null },
      buyerContext: { client: email, userAgent: "test", placedSaleIds: [] },
    });
    await pay(app, bought);
    await until(async () => {
      const [row] =
        await sql`select reason from deliveries where sale_id = ${bought.saleId} and attempt_log <> '[]'`;
      return row !== undefined;
    });
    // None of it remains while the next one is checked.
    await sql`update deliveries set status = 'refused' where sale_id = ${bought.saleId} and status = 'queued'`;
    await sql`update destinations set backoff_until = null, failing_since = null where id = ${area}`;
  }
  await until(
    async () =>
      (await app.log()).filter(({ msg }) => /^delivery (not )?sent$/.test(String(msg))).length >=
      modes.length,
  );
  expect(JSON.stringify(await app.log())).not.toContain(MEMBER_KEY);
  const rows = await sql`select * from deliveries where destination_id = ${area}`;
  expect(rows).toHaveLength(modes.length);
  expect(JSON.stringify(rows)).not.toContain(MEMBER_KEY);
  expect(rows.map(({ response_body }) => response_body).join()).toContain("api_key=[oculto]");
});
