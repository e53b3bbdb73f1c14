import type { Sql } from "postgres";
import { callJson } from "./call.ts";

type Message = { kind: string; to: string; body: string };

/** How many messages are sent at once, and how long sent ones wait to be recorded together, in milliseconds. */
const AT_ONCE = 16;
const RECORD_EVERY = 20;

/** Sends messages that were committed, and records together which ones were sent. */
export function messageSender(sql: Sql, sandboxUrl: string) {
  const waiting: { id: string; message: Message }[] = [];
  let sent: string[] = [];
  let running = 0;

  setInterval(async () => {
    if (sent.length === 0) return;
    const ids = sent;
    sent = [];
    await sql`update bare_messages set sent_at = now() where id = any(${ids}::bigint[])`;
  }, RECORD_EVERY);

  async function run(): Promise<void> {
    running++;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, message } = next;
      await deliver(id, message).then(
        () => sent.push(id),
        (error) => console.error(error),
      );
    }
    running--;
  }

  function deliver(id: string, { kind, to, body }: Message): Promise<unknown> {
    if (kind === "pixel") return callJson("POST", to, body);
    if (kind === "webhook") {
      const signed = JSON.parse(body) as { body: string; signature: string };
      return callJson("POST", to, signed.body, {
        "webhook-id": id,
        "webhook-signature": `v1,${signed.signature}`,
      });
    }
    const mail = {
      from: "Loja <loja@checkintelli.local>",
      to: [to],
      subject: "O seu pedido",
      html: `<p>${body}</p>`,
    };
    return callJson("POST", `${sandboxUrl}/resend/emails`, mail, {
      Authorization: `Bearer ${process.env.RESEND_API_KEY}`,
      "Idempotency-Key": `bare-${id}`,
    });
  }

  return {
    /** @param rows the ids of the rows, in the order of the messages */
    send(rows: { id: string }[], messages: Message[]): void {
      messages.forEach((message, at) => {
        waiting.push({ id: String(rows[at]!.id), message });
      });
      while (running < AT_ONCE && running < waiting.length) void run();
    },
  };
}
