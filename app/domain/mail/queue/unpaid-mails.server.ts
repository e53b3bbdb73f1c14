import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { mails } from "#app/db/schema/mails.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";

/** Mails about an order that nobody paid: whoever typed an address in a checkout has them sent there. */
const KINDS: readonly string[] = ["pix", "reminder"];
/** As many of them as one address gets within an hour, from all sellers together. */
const MOST = 5;
const TOO_MANY = `Não enviado: este endereço já recebeu ${MOST} e-mails de pedidos não pagos na última hora.`;

type Mail = { kind: string; recipient: string };

/** Lets mails of this kind to one address be queued one by one until the transaction ends, so that none is missed in counting. */
export async function awaitTurns(tx: Db, news: Mail[]): Promise<void> {
  const addresses = [...new Set(news.filter(isCounted).map((mail) => mail.recipient))].sort();
  for (const address of addresses) {
    const turn = `unpaid mail to ${address}`;
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${turn}, 0))`);
  }
}

/** How a new mail's row begins: to be sent, or where its address has had enough, not sent and why. */
export function firstStatus(mail: Mail): { status?: SQL; error?: SQL } {
  if (!isCounted(mail)) return {};
  // One that was never attempted was itself too many. A paid order gives its places back.
  const sent = sql`(select count(*) from ${mails} m inner join ${sales} s on s.id = m.sale_id
    where m.recipient = ${mail.recipient} and m.kind in ('pix', 'reminder')
      and m.created_at > now() - interval '1 hour' and (m.status <> 'failed' or m.attempts > 0)
      and s.status in ('pending', 'failed', 'cancelled'))`;
  return {
    status: sql`case when ${sent} >= ${MOST} then 'failed' else 'attempting' end`,
    error: sql`case when ${sent} >= ${MOST} then ${TOO_MANY}::text end`,
  };
}

function isCounted({ kind }: Mail): boolean {
  return KINDS.includes(kind);
}
