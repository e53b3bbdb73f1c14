import type { Sql } from "postgres";
import { batch } from "./batch.ts";
import type { Message } from "./send-messages.ts";

export type Order = {
  id: string;
  email: string;
  code: string | null;
  provider_id: string | null;
  paid: boolean;
};
type NewOrder = { id: string; slug: string; name: string; email: string; messages: Message[] };
type Code = { id: string; providerId: string; code: string };
type Payment = { id: string; cents: number; messages: Message[] };
/** The ids of an order's messages, in their order. */
type Queued = string[];

/** The bare shop's statements. Each is one for all calls of the same moment. */
export function openBooks(sql: Sql) {
  const queuedOf = (rows: { id: string; order_id: string }[], order: string): Queued =>
    rows.filter(({ order_id }) => order_id === order).map(({ id }) => id);

  return {
    /** Books order, charge and messages. @returns null where there is no such offer */
    placeOrder: batch<NewOrder, { cents: number; queued: Queued } | null>(async (orders) => {
      const column = (name: "id" | "slug" | "name" | "email") => orders.map((order) => order[name]);
      const lines = linesOf(orders);
      const rows = await sql<{ id: string; order_id: string; cents: number }[]>`
        with placed as (insert into bare_orders (id, offer_id, name, email, cents)
          select n.id, o.id, n.name, n.email, o.cents
          from unnest(${column("id")}::uuid[], ${column("slug")}::text[], ${column("name")}::text[], ${column("email")}::text[])
            n(id, slug, name, email) inner join bare_offers o on o.slug = n.slug
          returning id, cents),
        charged as (insert into bare_charges (order_id, cents) select id, cents from placed),
        queued as (insert into bare_messages (order_id, kind, recipient, body)
          select m.id, m.kind, m.recipient, m.body
          from unnest(${lines.order}::uuid[], ${lines.kind}::text[], ${lines.to}::text[], ${lines.body}::text[])
            with ordinality m(id, kind, recipient, body, n) inner join placed p on p.id = m.id order by m.n
          returning id, order_id)
        select q.id, q.order_id, p.cents from queued q inner join placed p on p.id = q.order_id order by q.id`;
      return orders.map(({ id }) => {
        const own = rows.find(({ order_id }) => order_id === id);
        return own ? { cents: own.cents, queued: queuedOf(rows, id) } : null;
      });
    }),

    saveCode: batch<Code, void>(async (codes) => {
      const column = (name: keyof Code) => codes.map((code) => code[name]);
      await sql`update bare_charges c set provider_id = n.provider_id, code = n.code
        from unnest(${column("id")}::uuid[], ${column("providerId")}::text[], ${column("code")}::text[]) n(id, provider_id, code)
        where c.order_id = n.id`;
      return codes.map(() => undefined);
    }),

    findOrder: batch<string, Order | undefined>(async (ids) => {
      const rows = await sql<
        Order[]
      >`select o.id, o.email, c.code, c.provider_id, c.paid_at is not null as paid
        from bare_orders o inner join bare_charges c on c.order_id = o.id where o.id = any(${ids}::uuid[])`;
      return ids.map((id) => rows.find((row) => row.id === id));
    }),

    /** @returns null where it was booked before, or another amount was paid */
    bookPayment: batch<Payment, Queued | null>(async (payments) => {
      // Two webhooks about one order: the first books it.
      const all = payments.filter(({ id }, at) => payments.findIndex((one) => one.id === id) === at);
      const lines = linesOf(all);
      const rows = await sql<{ id: string; order_id: string }[]>`
        with paid as (update bare_charges c set paid_at = now()
          from unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ cents }) => cents)}::int[]) n(id, cents)
          where c.order_id = n.id and c.paid_at is null and c.cents = n.cents returning c.order_id),
        completed as (update bare_orders o set completed_at = now() from paid where o.id = paid.order_id returning o.id)
        insert into bare_messages (order_id, kind, recipient, body)
        select m.id, m.kind, m.recipient, m.body
        from unnest(${lines.order}::uuid[], ${lines.kind}::text[], ${lines.to}::text[], ${lines.body}::text[])
          with ordinality m(id, kind, recipient, body, n) inner join completed c on c.id = m.id order by m.n
        returning id, order_id`;
      return payments.map((payment) => {
        const queued = all.includes(payment) ? queuedOf(rows, payment.id) : [];
        return queued.length > 0 ? queued : null;
      });
    }),
  };
}

function linesOf(orders: { id: string; messages: Message[] }[]) {
  const all = orders.flatMap(({ id, messages }) => messages.map((message) => ({ id, ...message })));
  return {
    order: all.map(({ id }) => id),
    kind: all.map(({ kind }) => kind),
    to: all.map(({ to }) => to),
    body: all.map(({ body }) => body),
  };
}
