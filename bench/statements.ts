import { subscribe } from "node:diagnostics_channel";
import { createRequestHandler } from "@remix-run/node";
import postgres from "postgres";
import type { SentStatement } from "#app/db/client.server.ts";
import { checkClaimedCharge, claimChecks } from "#app/domain/settlement/charge-check-queue.server.ts";
import { newBuyer, transactionOf } from "./buyer.ts";
import { figure, missed, print } from "./figure.ts";

/**
 * One purchase in this process, through the built app's request handler: every statement it sends, without begin and
 * commit. A separate program, because the app's modules read the environment when they are loaded.
 */
const statements: string[] = [];
const sql = postgres(process.env.DATABASE_URL!, { max: 1, onnotice: () => {} });
subscribe("checkintelli:statement", (message) => void statements.push((message as SentStatement).text));
const counts: [name: string, count: number][] = [];
const handle = createRequestHandler(
  await import(new URL("../build/index.js", import.meta.url).href),
  "production",
);
const shop = process.env.APP_URL!;
const sandbox = `http://localhost:${process.env.SANDBOX_PORT}/control`;
const headers = { "Content-Type": "application/x-www-form-urlencoded" };
const post = (url: string, fields: Record<string, string>) =>
  handle(new Request(url, { method: "POST", headers, body: new URLSearchParams(fields) }));

const screen = await counted("submit", async () => {
  const answer = await post(`${shop}/checkout/s/curso-de-violao`, newBuyer());
  return `${shop}${answer.headers.get("location")}`;
});
const page = await counted("PIX shown", async () => (await handle(new Request(screen))).text());
const id = transactionOf(page);
await control("/webhooks", { drop: true });
const paid = await control(`/transactions/${id}/pay`, {});
await counted("webhook", () => post(paid.webhook_url, { id: id.toUpperCase(), status: "paid" }));
const saleId = screen.split("/").at(-1)!;
await counted("settled, mails queued", async () => {
  for (const due of await claimChecks(1)) await checkClaimedCharge(due);
});
await control("/webhooks", { drop: false });
const [sale] = await sql`select status from sales where id = ${saleId}`;
if (sale!.status !== "completed") throw new Error(`the sale is ${sale!.status}`);
const parts = counts.map(([name, count]) => `${name} ${count}`).join(", ");
figure(
  "statements of a purchase",
  counts.reduce((sum, [, count]) => sum + count, 0),
  { atMost: 23 },
  "",
  parts,
);
if (process.argv.includes("list"))
  print(statements.map((text) => `    ${text.replace(/\s+/g, " ")}`).join("\n"));
process.exit(missed.length);

async function counted<T>(name: string, run: () => Promise<T>): Promise<T> {
  const before = statements.length;
  const result = await run();
  counts.push([name, statements.length - before]);
  return result;
}

async function control(path: string, body: unknown): Promise<{ webhook_url: string }> {
  const answer = await fetch(sandbox + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json() as Promise<{ webhook_url: string }>;
}
