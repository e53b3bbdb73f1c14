import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dynamicBrCode } from "#sandbox/br-code.ts";
import { afterFile } from "#tests/support/run/after-file.ts";

export type Payment = {
  cents: number;
  refundedCents: number;
  state:
    | "open"
    | "paid"
    | "disputed"
    | "refunded"
    | "chargedback"
    | "expired"
    | "cancelled"
    | "in_review"
    | "declined";
  webhookUrl: string;
  reference: string;
  document: string;
  pixCode: string;
  expiresAt: Date;
};

/** The second provider's own books, which tests pay into and read. */
export const secondBank = new Map<string, Payment>();

export const SECOND_KEY = "segundo-banco";
export const SECOND_SECRET = "segredo-do-segundo";
export const SIGNATURE_HEADER = "x-segundo-assinatura";

/** The number of calls by route, and the fault of a route's next call. */
export type Route = "create" | "find" | "refund";
export const secondCalls: Record<Route, number> = { create: 0, find: 0, refund: 0 };
type Fault = { route: Route; mode: "reset" | "malformed" | number; after?: boolean; times?: number };
let faults: Required<Fault>[] = [];

/** `after`: the bank does its work, then the answer is lost. Faults that no call met end with the test file. */
export function failSecondBank(fault: Fault): void {
  afterFile(() => {
    faults = [];
  });
  faults.push({ after: false, times: 1, ...fault });
}

/** The second provider's webhook signature: an HMAC over the body. */
export function signSecondWebhook(secret: string, body: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Posts a webhook as the second provider does. @returns the status of the answer */
export async function sendSecondWebhook(
  url: string,
  notification: { ref: string; what: string },
  secret = SECOND_SECRET,
): Promise<number> {
  const body = JSON.stringify({ pix: notification });
  const headers = { "Content-Type": "application/json", [SIGNATURE_HEADER]: signSecondWebhook(secret, body) };
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.arrayBuffer();
  return answer.status;
}

let address: Promise<string> | undefined;

/**
 * The address of the second provider's server. It starts with the first call and ends with the process of the tests; a process
 * of the app gets its test's address.
 */
export function secondBankUrl(): Promise<string> {
  if (process.env.SECOND_BANK_URL) return Promise.resolve(process.env.SECOND_BANK_URL);
  address ??= new Promise((resolve) => {
    const server = createServer((request, response) => void serve(request, response)).unref();
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
  return address;
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request) text += chunk;
  const { pathname, searchParams } = new URL(request.url!, "http://bank");
  const [, , id = "", sub] = pathname.split("/");
  const route: Route = sub ? "refund" : request.method === "POST" ? "create" : "find";
  secondCalls[route]++;
  const fault = faults.find((one) => one.route === route);
  if (fault && --fault.times === 0) faults = faults.filter((one) => one !== fault);
  if (fault && !fault.after) return fail(fault, response);
  const body = text ? JSON.parse(text) : {};
  const [status, answer] =
    request.headers["x-chave"] !== SECOND_KEY
      ? [401, { erro: "chave desconhecida" }]
      : request.method === "DELETE"
        ? cancel(id)
        : act(route, id, searchParams.get("referencia"), body);
  if (fault) return fail(fault, response);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
}

function fail({ mode }: Required<Fault>, response: ServerResponse): void {
  if (mode === "reset") response.destroy();
  else if (mode === "malformed") response.writeHead(200).end("<html>");
  else response.writeHead(mode).end(JSON.stringify({ erro: "Não foi possível" }));
}

// biome-ignore lint/suspicious/noExplicitAny: the body is read as this one provider writes it.
function act(route: Route, id: string, reference: string | null, body: any): [number, unknown] {
  const found = [...secondBank].find(([key, one]) => key === id || one.reference === reference);
  if (route === "create") return createOnce(body);
  if (!found) return [404, { erro: "não encontrada" }];
  if (route === "refund") return giveBack(found[1], body.valor);
  return [200, visible(found)];
}

function cancel(id: string): [number, unknown] {
  const payment = secondBank.get(id);
  if (payment?.state !== "open") return [422, { erro: "não está aberta" }];
  payment.state = "cancelled";
  return [200, {}];
}

function createOnce(body: { valor: number; referencia: string; cpf: string; retorno: string }) {
  const known = [...secondBank].find(([, one]) => one.reference === body.referencia);
  if (known) return [200, visible(known)] as [number, unknown];
  if (body.valor < 100 || body.valor > 300_000 || !body.cpf)
    return [422, { erro: "valor ou CPF" }] as [number, unknown];
  const id = `seg-${randomUUID()}`;
  const url = `pix.segundo.local/${id.slice(0, 20)}`;
  const payment: Payment = {
    cents: body.valor,
    refundedCents: 0,
    state: "open",
    webhookUrl: body.retorno,
    reference: body.referencia,
    document: body.cpf,
    pixCode: dynamicBrCode({ url, cents: body.valor, name: "SEGUNDO", city: "RECIFE" }),
    expiresAt: new Date(Date.now() + 600_000),
  };
  secondBank.set(id, payment);
  return [201, visible([id, payment])] as [number, unknown];
}

function giveBack(payment: Payment, cents: number | null): [number, unknown] {
  const left = payment.cents - payment.refundedCents;
  const wanted = cents ?? left;
  if (payment.state !== "paid" || wanted > left) return [422, { erro: "Não foi possível" }];
  payment.refundedCents += wanted;
  if (payment.refundedCents >= payment.cents) payment.state = "refunded";
  return [202, {}];
}

/** A payment as the bank writes it. */
export type PaymentView = ReturnType<typeof visible>;

function visible([id, payment]: [string, Payment]) {
  return {
    id,
    valor: payment.cents,
    devolvido: payment.refundedCents,
    estado: payment.state,
    retorno: payment.webhookUrl,
    copiaECola: payment.pixCode,
    vence: payment.expiresAt.toISOString(),
  };
}
