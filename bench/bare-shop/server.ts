import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import postgres from "postgres";
import { callJson } from "./call.ts";
import { messageSender } from "./send-messages.ts";
import { createTables } from "./tables.ts";

/**
 * The bare shop: what a purchase must do and nothing else, as fast as its authors can make it, with `node:http` and postgres.js
 * alone. It reads the offer, books order, charge and mails in one durable statement, requests the PIX, writes a page, holds an
 * event stream, receives the webhook, asks the provider, books in one durable statement, notifies the stream and sends three mails;
 * with `DELIVERS=1` also what a webhook and a pixel are told. It has no rules, limits, retries, accounts, settings or history.
 */
const { PORT, DATABASE_URL, SANDBOX_URL, DELIVERS } = process.env as Record<string, string>;
const sql = postgres(DATABASE_URL!, { max: 10, onnotice: () => {} });
await createTables(sql);
const sender = messageSender(sql, SANDBOX_URL!);

const PROVIDER = `${SANDBOX_URL}/pushinpay/api`;
const KEY = { Authorization: "Bearer 1|sandbox-bare" };
/** Open event streams by order. */
const streams = new Map<string, Set<ServerResponse>>();

type Order = { id: string; email: string; code: string | null; provider_id: string | null; paid: boolean };

async function placeOrder(request: IncomingMessage, response: ServerResponse, slug: string): Promise<void> {
  const form = new URLSearchParams(await readText(request));
  const [id, name, email] = [randomUUID(), form.get("customer_name")!, form.get("customer_email")!];
  if (!name || !email?.includes("@")) return end(response, 422, "Preencha nome e e-mail");
  const told =
    DELIVERS === "1" ? ["checkout.started", "pix.generated"].flatMap((event) => deliveries(id, event)) : [];
  const messages = JSON.stringify([
    { kind: "mail", to: email, body: `Pague o seu pedido: ${pageOf(id)}` },
    ...told,
  ]);
  const [offer] = await sql<{ cents: number; messages: { id: string }[] }[]>`
    with offer as (select id, cents from bare_offers where slug = ${slug}),
    placed as (insert into bare_orders (id, offer_id, name, email, cents)
      select ${id}::uuid, id, ${name}, ${email}, cents from offer returning cents),
    charged as (insert into bare_charges (order_id, cents) select ${id}::uuid, cents from placed),
    queued as (insert into bare_messages (order_id, kind, recipient, body)
      select ${id}::uuid, m ->> 'kind', m ->> 'to', m ->> 'body' from placed, jsonb_array_elements(${messages}::text::jsonb) m
      returning id)
    select cents, (select json_agg(q order by id) from queued q) as messages from placed`;
  if (!offer) return end(response, 404, "Não encontrado");
  const webhook_url = `http://localhost:${PORT}/webhook/${id}`;
  const { body } = await callJson("POST", `${PROVIDER}/pix/cashIn`, { value: offer.cents, webhook_url }, KEY);
  const { id: providerId, qr_code: code } = body as { id: string; qr_code: string };
  await sql`update bare_charges set provider_id = ${providerId.toLowerCase()}, code = ${code} where order_id = ${id}`;
  sender.send(offer.messages, JSON.parse(messages));
  response.writeHead(303, { Location: `/checkout/pix/${id}`, "Content-Length": 0 }).end();
}

async function showPage(response: ServerResponse, id: string): Promise<void> {
  const [order] = await findOrder(id);
  if (!order) return end(response, 404, "Não encontrado");
  const pay = `${SANDBOX_URL}/control/transactions/${order.provider_id}/pay`;
  end(
    response,
    200,
    `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>Pague com PIX</title><h1>Pague com PIX</h1>
<textarea readonly>${order.code}</textarea><form method="post" action="${pay}"><button>Simular</button></form>
<script>new EventSource("/checkout/pix/${id}/events").onmessage=e=>{if(e.data==="completed")location="/thank-you/${id}"}</script>`,
  );
}

async function openStream(response: ServerResponse, id: string): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const own = streams.get(id) ?? new Set();
  streams.set(id, own.add(response));
  response.once("close", () => own.delete(response) && own.size === 0 && streams.delete(id));
  const [order] = await findOrder(id);
  response.write(`event: message\ndata: ${order?.paid ? "completed" : "pending"}\n\n`);
}

/** The webhook is only a reason to ask the provider. Its answer books the payment once. */
async function receiveWebhook(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
  const text = await readText(request);
  end(response, 200, "ok");
  if (!text.includes("paid")) return;
  const [order] = await findOrder(id);
  if (!order?.provider_id || order.paid) return;
  const { body } = await callJson("GET", `${PROVIDER}/transactions/${order.provider_id}`, null, KEY);
  const { status, value } = body as { status: string; value: number };
  if (status !== "paid") return;
  const told =
    DELIVERS === "1" ? [...deliveries(id, "sale.paid"), ...deliveries(id, "access.granted").slice(0, 1)] : [];
  const messages = [
    { kind: "mail", to: order.email, body: `O seu acesso: ${pageOf(id)}` },
    { kind: "mail", to: "vendedor@exemplo.com.br", body: `Você vendeu por ${value / 100} reais` },
    ...told,
  ];
  const [booked] = await sql<{ messages: { id: string }[] }[]>`
    with paid as (update bare_charges set paid_at = now() where order_id = ${id} and paid_at is null and cents = ${value}
      returning order_id),
    completed as (update bare_orders o set completed_at = now() from paid where o.id = paid.order_id returning o.id),
    queued as (insert into bare_messages (order_id, kind, recipient, body)
      select completed.id, m ->> 'kind', m ->> 'to', m ->> 'body'
      from completed, jsonb_array_elements(${JSON.stringify(messages)}::text::jsonb) m returning id)
    select (select json_agg(q order by id) from queued q) as messages from completed`;
  if (!booked) return;
  for (const stream of streams.get(id) ?? []) stream.write("event: message\ndata: completed\n\n");
  sender.send(booked.messages, messages);
}

function findOrder(id: string) {
  return sql<Order[]>`select o.id, o.email, c.code, c.provider_id, c.paid_at is not null as paid
    from bare_orders o inner join bare_charges c on c.order_id = o.id where o.id = ${id}`;
}

/** What a webhook and a pixel are told of an event. */
function deliveries(id: string, event: string) {
  const body = JSON.stringify({ id: randomUUID(), event, sale: { id, currency: "BRL", value: 97 } });
  const signed = JSON.stringify({
    body,
    signature: createHmac("sha256", "bare").update(body).digest("base64"),
  });
  return [
    { kind: "webhook", to: `${SANDBOX_URL}/receiver/bare`, body: signed },
    { kind: "pixel", to: `${SANDBOX_URL}/ga4/mp/collect?measurement_id=G-AB12CD34EF&api_secret=bare`, body },
  ];
}

const pageOf = (id: string) => `http://localhost:${PORT}/checkout/pix/${id}`;

function end(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8", "Content-Length": body.length });
  response.end(body);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const part of request) text += part;
  return text;
}

function answer(request: IncomingMessage, response: ServerResponse): Promise<void> | void {
  const [, first, second = "", third = "", fourth] = request.url!.split("/");
  if (first === "webhook") return receiveWebhook(request, response, second);
  if (first !== "checkout") return end(response, 200, "ok");
  if (request.method === "POST") return placeOrder(request, response, third);
  return fourth === "events" ? openStream(response, third) : showPage(response, third);
}

const server = createServer((request, response) => {
  Promise.resolve(answer(request, response)).catch((error) => {
    console.error(error);
    if (!response.headersSent) end(response, 500, "Erro");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(PORT));
process.once("SIGTERM", () => process.exit(0));
