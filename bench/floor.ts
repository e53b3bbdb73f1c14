import { createServer } from "node:http";
import postgres from "postgres";

/** Baseline for taking an order: a bare server that inserts one row in one transaction. `GET /` answers too. */
const sql = postgres(process.env.DATABASE_URL!, { max: 10, onnotice: () => {} });
await sql`create table if not exists bench_orders (
  id uuid primary key default gen_random_uuid(), name text not null, email text not null, amount_cents integer not null,
  created_at timestamptz not null default now())`;

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return void response.end("ok");
  let body = "";
  for await (const part of request) body += part;
  const fields = new URLSearchParams(body);
  const [row] = await sql.begin(
    (tx) => tx`insert into bench_orders (name, email, amount_cents)
      values (${fields.get("customer_name")}, ${fields.get("customer_email")}, 9700) returning id`,
  );
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(row));
});
server.listen(Number(process.env.PORT));
process.once("SIGTERM", () => process.exit(0));
