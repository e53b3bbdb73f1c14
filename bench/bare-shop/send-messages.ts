import type { Sql } from "postgres";
import { callJson } from "./call.ts";

export type Message = { kind: string; to: string; body: string };

/** How many messages are sent at once, and how long sent ones wait to be recorded together, in milliseconds. */
const AT_ONCE = 16;
const RECORD_EVERY = 200;
const AUTHORIZATION = `Bearer ${process.env.RESEND_API_KEY}`;

/** Sends messages that were committed, and records together which ones were sent. */
export function messageSender(sql: Sql, sandboxUrl: string) {
  const waiting: { id: string; message: Message }[] = [];
  let sent: string[] = [];
  let running = 0;
  let queued = 0;

  let isRecording = false;
  setInterval(async () => {
    if (isRecording || sent.length === 0) return;
    isRecording = true;
    const ids = sent;
    sent = [];
    try {
      await sql`update bare_messages set sent_at = now() where id = any(${ids}::bigint[])`;
      queued -= ids.length;
    } catch (error) {
      console.error(error);
      sent.push(...ids);
    }
    isRecording = false;
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
      Authorization: AUTHORIZATION,
      "Idempotency-Key": `bare-${id}`,
    });
  }

  return {
    /** @param ids of the rows, in the order of the messages */
    send(ids: string[], messages: Message[]): void {
      queued += messages.length;
      messages.forEach((message, at) => {
        waiting.push({ id: ids[at]!, message });
      });
      while (running < AT_ONCE && waiting.length > 0) void run();
    },
    /** How many messages are not sent, or not recorded as sent. */
    unsent: () => queued,
  };
}
