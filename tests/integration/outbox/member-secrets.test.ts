import { expect, test } from "vitest";
import { buy, openShop } from "#tests/integration/payments/support.ts";
import { pay } from "#tests/integration/tracking/support.ts";
import { startApp } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { MEMBER_KEY, makeMemberArea } from "#tests/support/rows/make-member-area.ts";
import { until } from "#tests/support/until.ts";

const app = await startApp({ web: 0, worker: 1 });

test("the key in MemberKit's address is in no log line and no row, whatever is answered", async () => {
  const { seller, product } = await openShop();
  const classes = [{ item: String(product.id), ids: [101] }];
  const area = await makeMemberArea(seller, "memberkit", { classes });
  const modes = ["reset", "status-302", "status-422", "http-500", "malformed"] as const;
  for (const mode of modes) {
    // Whoever answers may say back where it was asked.
    const body = { error: `GET /api/v1/users?api_key=${MEMBER_KEY}` };
    await app.sandbox.fault({ service: "memberkit", mode, ...(mode === "status-422" ? { body } : {}) });
    const email = `ana-${mode}@exemplo.com.br`;
    const bought = await buy(product.id, {
      customer: { name: "Ana Souza", email, phone: null, document: null },
      placer: { client: email, browser: "test", placed: [] },
    });
    await pay(app, bought);
    await until(async () => {
      const [row] = await sql`select why from outbox where sale_id = ${bought.saleId} and tries <> '[]'`;
      return row !== undefined;
    });
    // Nothing of it comes again while the next is looked at.
    await sql`update outbox set status = 'refused' where sale_id = ${bought.saleId} and status = 'queued'`;
    await sql`update destinations set rest_until = null, failing_since = null where id = ${area}`;
  }
  await until(
    async () =>
      (await app.log()).filter(({ msg }) => /^news (not )?told$/.test(String(msg))).length >= modes.length,
  );
  expect(JSON.stringify(await app.log())).not.toContain(MEMBER_KEY);
  const rows = await sql`select * from outbox where destination_id = ${area}`;
  expect(rows).toHaveLength(modes.length);
  expect(JSON.stringify(rows)).not.toContain(MEMBER_KEY);
  expect(rows.map(({ response_body }) => response_body).join()).toContain("api_key=[oculto]");
});
