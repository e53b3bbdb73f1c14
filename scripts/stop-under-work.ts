import { type ClientRequest, get as httpGet, type IncomingMessage } from "node:http";
import { setTimeout as later } from "node:timers/promises";
import postgres from "postgres";
import { until } from "#tests/support/until.ts";

type Running = {
  /** The web's address, with the demo shop. */
  url: string;
  sandboxUrl: string;
  databaseUrl: string;
  /** Asks web and worker to stop, as a container engine does. @returns their exit codes */
  stop: () => Promise<{ web: number | null; worker: number | null }>;
};

/** The buyer whose PIX page is open. */
const BEFORE = "antes@exemplo.com.br";
/** Longer than a stop waits for new work, shorter than it waits for running work. */
const SLOWNESS_MS = 3000;
/** Rows of the report: more than socket buffers hold, so that the web still has some to send. */
const ROWS = 14_000;
const BUYER = "Cliente do Relatório";
/** Long names fill a report with fewer sales. */
const NAME = `${BUYER} ${"de Albuquerque e Figueiredo ".repeat(8)}`;

/**
 * Stops the demo shop's web and worker while a PIX is being created, a mail is being sent, a report is streaming to a slow
 * reader and a PIX page is open. Fills the database with sales for the report.
 * @throws Error naming what was cut off
 */
export async function stopUnderWork({ url, sandboxUrl, databaseUrl, stop }: Running): Promise<void> {
  const cookie = await signIn(url);
  await fillReport(databaseUrl);
  const first = await order(url, BEFORE);
  const pixPage = first.headers.get("location")!;
  const stream = fetch(new URL(`${new URL(pixPage, url).pathname}/events`, url)).then((answer) =>
    answer.text(),
  );
  const report = await slowReport(url, cookie);
  // Its mail would be the slow one, in place of the reset's.
  await until(async () => (await mailsTo(sandboxUrl, BEFORE)) === 1, {
    what: "the first order's mail",
    seconds: 30,
  });

  await control(sandboxUrl, "/faults", {
    service: "pushinpay",
    route: "cashIn",
    mode: `slow-${SLOWNESS_MS}`,
    times: 1,
  });
  await control(sandboxUrl, "/faults", {
    service: "resend",
    route: "emails",
    mode: `slow-${SLOWNESS_MS}`,
    times: 1,
  });
  const before = await calls(sandboxUrl);
  const ordering = order(url, "durante@exemplo.com.br");
  const reset = await post(url, "/forgot-password", { email: "vendedor@exemplo.com.br" });
  if (reset.status >= 400) throw new Error(`/forgot-password answered ${reset.status}`);
  await until(
    async () => {
      const now = await calls(sandboxUrl);
      return now.pushinpay.cashIn > before.pushinpay.cashIn && now.resend.emails > before.resend.emails;
    },
    { what: "a PIX and a mail to be under way", seconds: 30 },
  );

  const stopping = stop();
  const [codes, made, lines, streamed] = await Promise.all([stopping, ordering, report.rest(), stream]);
  const wrong = [
    ...(codes.web === 0 ? [] : [`web ended with ${codes.web}`]),
    ...(codes.worker === 0 ? [] : [`worker ended with ${codes.worker}`]),
    ...(made.status === 303 && /\/checkout\/pix\//.test(made.headers.get("location") ?? "")
      ? []
      : [`the buyer got ${made.status} in place of a PIX`]),
    ...(lines === ROWS + 1 ? [] : [`the report had ${lines} of ${ROWS + 1} lines`]),
    ...(streamed.includes("event: status") ? [] : ["the open page was told nothing"]),
    ...((await mailsTo(sandboxUrl, "vendedor@exemplo.com.br")) === 1 ? [] : ["the mail was not sent once"]),
  ];
  if (wrong.length > 0)
    throw new Error(`stopping cut off work:\n${wrong.map((one) => `  - ${one}`).join("\n")}`);
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "vendedor@exemplo.com.br", password: "demonstracao-123" }),
  });
  if (!answer.ok) throw new Error(`/api/sessions answered ${answer.status}`);
  return answer.headers.getSetCookie()[0]!.split(";")[0]!;
}

/** Inserts today's sales for one buyer: copies of an existing one. */
async function fillReport(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    await client`
      insert into sales select (jsonb_populate_record(s, jsonb_build_object(
        'id', gen_random_uuid(), 'order_key', gen_random_uuid(), 'customer_name', ${NAME}::text,
        'created_at', now(), 'completed_at', now()))).*
      from sales s, generate_series(1, ${ROWS})
      where s.id = (select id from sales where status = 'completed' and parent_sale_id is null limit 1)`;
  } finally {
    await client.end();
  }
}

function order(url: string, email: string): Promise<Response> {
  return post(url, "/checkout/s/curso-de-violao", {
    customer_name: "Bia Souza",
    customer_email: email,
    customer_email_confirmation: email,
    customer_phone: "11987654321",
    customer_document: "529.982.247-25",
  });
}

function post(url: string, path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(new URL(path, url), { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
}

/** Starts to read the report, and leaves the rest unread until requested. */
async function slowReport(url: string, cookie: string): Promise<{ rest: () => Promise<number> }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing: ClientRequest = httpGet(
      `${url}/reports/export?search=${encodeURIComponent(BUYER)}`,
      { headers: { cookie } },
      resolve,
    );
    outgoing.on("error", reject);
  });
  if (answer.statusCode !== 200) throw new Error(`/reports/export answered ${answer.statusCode}`);
  answer.pause();
  return {
    async rest() {
      await later(SLOWNESS_MS / 3);
      let lines = 0;
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        for (const byte of chunk) if (byte === 10) lines++;
        await later(1);
      }
      return lines;
    },
  };
}

async function calls(
  sandboxUrl: string,
): Promise<{ pushinpay: { cashIn: number }; resend: { emails: number } }> {
  return (await fetch(`${sandboxUrl}/control/calls`)).json();
}

async function mailsTo(sandboxUrl: string, email: string): Promise<number> {
  const answer = await fetch(`${sandboxUrl}/control/emails?to=${encodeURIComponent(email)}`);
  return ((await answer.json()) as unknown[]).length;
}

async function control(sandboxUrl: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/control${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`sandbox ${path} answered ${answer.status}`);
}
