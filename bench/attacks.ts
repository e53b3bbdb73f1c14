import { randomUUID } from "node:crypto";
import { order } from "./buyer.ts";
import { readEvents, send, sendForm } from "./http.ts";
import { signIn } from "./seller.ts";
import type { Stage } from "./stage.ts";

/**
 * Starts an attack, resolves once it is in full swing, and continues until `end`; `summary` then resolves to its result.
 */
export type Attack = (stage: Stage, end: AbortSignal) => Promise<{ summary: Promise<string> }>;

export const ATTACKS: Record<string, Attack> = {
  "40 sign-ins a second": async ({ url }, end) => {
    const answers = counter();
    const body = () => ({ email: `${randomUUID()}@exemplo.com.br`, password: "errada-errada" });
    const signIn = () => answers.of(send(`${url}/api/sessions`, jsonPost(body())));
    return { summary: paced(signIn, 40, end).then(answers.toString) };
  },

  "2,000 streams, 100 changes/s": async ({ url, sql }, end) => {
    const sales = await sql<{ id: string }[]>`
      insert into sales (seller_id, product_id, amount_cents, status, order_key, customer_name, customer_email)
      select seller_id, id, price_cents, 'pending', 'fluxo-' || n, 'Ana', 'fluxo-' || n || '@exemplo.com.br'
      from products, generate_series(1, 500) n where checkout_slug = 'curso-de-violao' returning id`;
    const ids = sales.map(({ id }) => id);
    const streams = ids.flatMap((id) =>
      Array.from({ length: 4 }, () => readEvents(`${url}/checkout/pix/${id}/events`, end)),
    );
    await Promise.all(streams.map(({ open }) => open));
    let changes = 0;
    // Toggles a state that open pages are notified of.
    const change = async () => {
      const at = changes++;
      const status = Math.floor(at / ids.length) % 2 ? "pending" : "failed";
      await sql`with changed as (update sales set status = ${status} where id = ${ids[at % ids.length]!} returning id)
        select pg_notify('sale', id::text) from changed`;
    };
    return {
      summary: paced(change, 100, end).then(async () => {
        const received = (await Promise.all(streams.map(({ events }) => events))).reduce(
          (sum, n) => sum + n,
          0,
        );
        return `${changes} changes, ${received} events received`;
      }),
    };
  },

  "1,000 hostile previews": async ({ url }, end) => {
    const headers = await signIn(url);
    const answers = counter();
    let sent = 0;
    const preview = () => {
      const [path, fields] = PREVIEWS[sent++ % PREVIEWS.length]!;
      return answers.of(sendForm(url + path, fields, headers));
    };
    const goesOn = () => !end.aborted && sent < 1000;
    const summary = Promise.all([1, 2, 3, 4].map(() => repeated(preview, goesOn))).then(
      () => `${sent} sent, answered ${answers}`,
    );
    return { summary };
  },

  "webhooks as fast as they come": async (stage, end) => {
    const { transactionId } = await order(stage);
    const known = await send(`${stage.sandboxUrl}/control/transactions/${transactionId}`);
    const { webhook_url } = JSON.parse(known.body.toString());
    const answers = counter();
    let sent = 0;
    const sendWebhook = () => {
      const id = sent++ % 2 ? transactionId.toUpperCase() : randomUUID().toUpperCase();
      return answers.of(sendForm(webhook_url, { id, status: "paid", value: "9700" }));
    };
    const summary = Promise.all(
      Array.from({ length: 8 }, () => repeated(sendWebhook, () => !end.aborted)),
    ).then(() => `answered ${answers}`);
    return { summary };
  },
};

const mail = (html: string) =>
  [
    "/settings/email/preview",
    { sender_name: "Loja", sender_email: "", subject: "Oi", html_content: html },
  ] as const;
const checkout = (fields: Record<string, string>) => ["/checkout-customization/preview", fields] as const;

/** Inputs that once took seconds or broke the page. */
const PREVIEWS = [
  mail('<a href="'.repeat(420)),
  mail("‹".repeat(60_000)),
  mail("<style".repeat(15_000)),
  mail("<img".repeat(20_000)),
  mail("&#0;&#55357;".repeat(10_000)),
  checkout({ custom_header: "<div>".repeat(4_000) }),
  checkout({ custom_header: '<a href="'.repeat(2_000), custom_footer: "<style".repeat(3_000) }),
  checkout({ custom_css: "body{font-family:Wingdings}.ck-brand{line-height:1000}".repeat(300) }),
  checkout({ custom_css: ".ck-product-name{padding:600px}".repeat(600) }),
  checkout({ custom_css: `.ck-brand{${"(".repeat(15_000)}` }),
];

function jsonPost(body: unknown) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** Counts responses by status. */
function counter() {
  const counts = new Map<number, number>();
  return {
    async of(answer: Promise<{ status: number }>) {
      const { status } = await answer;
      counts.set(status, (counts.get(status) ?? 0) + 1);
    },
    toString: () => [...counts].map(([status, count]) => `${count} × ${status}`).join(", "),
  };
}

/** Starts `once` at this rate, whether or not earlier calls have finished. */
async function paced(once: () => Promise<unknown>, perSecond: number, end: AbortSignal): Promise<void> {
  const begun = performance.now();
  const running: Promise<unknown>[] = [];
  while (!end.aborted) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (running.length < due) running.push(once());
    await new Promise((later) => setTimeout(later, 10));
  }
  await Promise.all(running);
}

async function repeated(once: () => Promise<unknown>, goesOn: () => boolean): Promise<void> {
  while (goesOn()) await once();
}
