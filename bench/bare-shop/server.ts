import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import postgres from "postgres";
import { openBooks } from "./books.ts";
import { callJson } from "./call.ts";
import { type Message, messageSender } from "./send-messages.ts";
import { createTables } from "./tables.ts";

/**
 * The bare shop: what a purchase must do and nothing else, as fast as its authors can make it, with `node:http` and postgres.js
 * alone. It reads the offer, books order, charge and mails in one durable statement, requests the PIX, writes a page, holds an
 * event stream, receives the webhook, asks the provider, books in one durable statement, notifies the stream and sends three mails;
 * with `DELIVERS=1` also what a webhook and a pixel are told. Statements of the same moment are one (`books.ts`). It has no rules,
 * limits, retries, accounts, settings or history.
 */
const { PORT, DATABASE_URL, SANDBOX_URL, DELIVERS } = process.env as Record<string, string>;
// Plans are kept from when the tables are empty: they use the indexes from the start.
const connection = { enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" };
const sql = postgres(DATABASE_URL!, { max: 10, connection, onnotice: () => {} });
await createTables(sql);
const books = openBooks(sql);
const sender = messageSender(sql, SANDBOX_URL!);

const PROVIDER = `${SANDBOX_URL}/pushinpay/api`;
const KEY = { Authorization: "Bearer 1|sandbox-bare" };
/** Open event streams by order. */
const streams = new Map<string, Set<ServerResponse>>();

async function placeOrder(request: IncomingMessage, response: ServerResponse, slug: string): Promise<void> {
  const form = new URLSearchParams(await readText(request));
  const [id, name, email] = [randomUUID(), form.get("customer_name")!, form.get("customer_email")!];
  if (!name || !email?.includes("@")) return end(response, 422, "Preencha nome e e-mail");
  const messages = [
    { kind: "mail", to: email, body: `Pague o seu pedido: ${pageOf(id)}` },
    ...deliveries(id, "checkout.started"),
    ...deliveries(id, "pix.generated"),
  ];
  const placed = await books.placeOrder({ id, slug, name, email, messages });
  if (!placed) return end(response, 404, "Não encontrado");
  const webhook_url = `http://localhost:${PORT}/webhook/${id}`;
  const { body } = await callJson(
    "POST",
    `${PROVIDER}/pix/cashIn`,
    { value: placed.cents, webhook_url },
    KEY,
  );
  const { id: providerId, qr_code: code } = body as { id: string; qr_code: string };
  await books.saveCode({ id, providerId: providerId.toLowerCase(), code });
  sender.send(placed.queued, messages);
  response.writeHead(303, { Location: `/checkout/pix/${id}`, "Content-Length": 0 }).end();
}

async function showPage(response: ServerResponse, id: string): Promise<void> {
  const order = await books.findOrder(id);
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
  const order = await books.findOrder(id);
  response.write(`event: message\ndata: ${order?.paid ? "completed" : "pending"}\n\n`);
}

/** The webhook is only a reason to ask the provider. It is answered once the payment is booked: after an error it comes again. */
async function receiveWebhook(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
  if ((await readText(request)).includes("paid")) await bookPayment(id);
  end(response, 200, "ok");
}

async function bookPayment(id: string): Promise<void> {
  const order = await books.findOrder(id);
  if (!order?.provider_id || order.paid) return;
  const { body } = await callJson("GET", `${PROVIDER}/transactions/${order.provider_id}`, null, KEY);
  const { status, value } = body as { status: string; value: number };
  if (status !== "paid") return;
  const messages = [
    { kind: "mail", to: order.email, body: `O seu acesso: ${pageOf(id)}` },
    { kind: "mail", to: "vendedor@exemplo.com.br", body: `Você vendeu por ${value / 100} reais` },
    ...deliveries(id, "sale.paid"),
    ...deliveries(id, "access.granted").slice(0, 1),
  ];
  const queued = await books.bookPayment({ id, cents: Number(value), messages });
  if (!queued) return;
  for (const stream of streams.get(id) ?? []) stream.write("event: message\ndata: completed\n\n");
  sender.send(queued, messages);
}

/** What a webhook and a pixel are told of an event. */
function deliveries(id: string, event: string): Message[] {
  if (DELIVERS !== "1") return [];
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
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "Content-Type": "text/html; charset=utf-8", "Content-Length": length });
  response.end(text);
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => done(text)).on("error", fail);
  });
}

function answer(request: IncomingMessage, response: ServerResponse): Promise<void> | void {
  const [, first, second = "", third = "", fourth] = request.url!.split("/");
  if (first === "webhook") return receiveWebhook(request, response, second);
  if (first === "unsent") return end(response, 200, String(sender.unsent()));
  if (first !== "checkout") return end(response, 200, "ok");
  if (request.method === "POST") return placeOrder(request, response, third);
  return fourth === "events" ? openStream(response, third) : showPage(response, third);
}

const server = createServer((request, response) => {
  Promise.resolve(answer(request, response)).catch((error) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else end(response, 500, "Erro");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(PORT));
process.once("SIGTERM", () => process.exit(0));
