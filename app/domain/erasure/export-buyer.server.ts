import { sql } from "drizzle-orm";
import { batchDb } from "#app/db/client.server.ts";
import { computeAddressHashes } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { maskSealedDocument } from "#app/domain/sale/mask-sealed-document.server.ts";
import { FIRST_CURSOR, readBatches } from "#app/queue/read-batches.server.ts";

/** Orders read at once: limits memory, for any length of the file. */
const ORDERS_PER_BATCH = 20;

const INTRODUCTION =
  "O que guardamos de quem comprou com este e-mail. Valores em reais, momentos em UTC. O CPF ou CNPJ vai em parte: um e-mail digitado errado pode ser de outra pessoa. Por isso também ficam de fora os e-mails enviados a um endereço que a compra teve antes. Quem vendeu pode guardar mais.";

type Order = typeof FIRST_CURSOR & { order: { comprador: { documento: string | null } } };

/**
 * A buyer's stored data as JSON, all sellers' orders from old to new, for the owner of the mailbox `email`. Each piece is
 * read by a cursor on demand, so that a slow download holds no connection.
 */
export async function* exportBuyer(email: string, now = new Date()): AsyncGenerator<string> {
  // Read before anything is sent: where the database is away, another answer is still possible.
  const others = {
    outros_emails: await readOtherMails(email),
    lembretes_recusados: await readOptOuts(email),
    pedido_para_apagar_os_dados: await readErasure(email),
    acessos_a_minhas_compras: await readSessions(email),
  };
  const head = { sobre: INTRODUCTION, email, gerado_em: now.toISOString() };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "pedidos": [`;
  let isFirst = true;
  const read = (cursor: typeof FIRST_CURSOR) => readOrders(email, cursor);
  for await (const rows of readBatches(FIRST_CURSOR, ORDERS_PER_BATCH, read))
    for (const { order } of rows) {
      const { comprador } = order;
      const documento = maskSealedDocument(comprador.documento);
      yield `${isFirst ? "" : ","}\n    ${toIndentedJson({ ...order, comprador: { ...comprador, documento } })}`;
      isFirst = false;
    }
  yield `\n  ],${JSON.stringify(others, null, 2).slice(1)}\n`;
}

function toIndentedJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", "\n    ");
}

function readOrders(email: string, cursor: typeof FIRST_CURSOR): Promise<Order[]> {
  return batchDb.execute<Order>(sql`
    select s.id, s.created_at::text as at, json_build_object(
      'numero', s.id, 'de_outra_compra', s.parent_sale_id, 'situacao', s.status, 'forma_de_pagamento', s.payment_method,
      'vendido_por', (select coalesce(nullif(v.company, ''), v.name) from sellers v where v.id = s.seller_id),
      'pedido_em', s.created_at, 'pago_em', s.completed_at, 'devolvido_em', s.refunded_at,
      'valor', ${reaisSql("s.amount_cents")}, 'oferta', s.offer_name, 'quantidade', s.quantity, 'cupom', s.coupon_code, 'valor_devolvido', ${reaisSql("s.refunded_cents")}, 'garantia_em_dias', s.guarantee_days,
      'itens', ${jsonListSql("l.position", "json_build_object('nome', l.name, 'valor', (l.price_cents / 100.0)::numeric(12, 2), 'desconto', ((l.discount_cents + l.method_discount_cents) / 100.0)::numeric(12, 2))", "sale_lines l where l.seller_id = s.seller_id and l.sale_id = s.id")},
      'comprador', json_build_object('nome', s.customer_name, 'email', s.customer_email, 'email_corrigido_em', nullif(s.email_corrected_at, s.anonymized_at),
        'telefone', s.customer_phone, 'documento', s.customer_document_sealed, 'endereco_do_aparelho', s.customer_ip,
        'aparelho', s.device, 'viu_a_pagina_em', s.seen_at),
      'de_onde_veio', json_build_object('utm_source', s.utm_source, 'utm_medium', s.utm_medium, 'utm_campaign', s.utm_campaign,
        'utm_term', s.utm_term, 'utm_content', s.utm_content, 'outros', s.campaign),
      'anuncios', json_build_object('permitiu', s.ad_consent, 'a_quem', s.ad_ids -> 'kinds', 'conhecido_por', s.ad_ids - 'kinds'),
      'pagamentos', ${jsonListSql("c.created_at", "json_build_object('provedor', c.provider, 'numero_no_provedor', c.provider_id, 'forma', c.method, 'situacao', c.status, 'valor', (c.amount_cents / 100.0)::numeric(12, 2), 'recebido', (c.paid_cents / 100.0)::numeric(12, 2), 'parcelas', c.instalments, 'total_com_juros', (c.buyer_cents / 100.0)::numeric(12, 2), 'criado_em', c.created_at, 'vale_ate', c.expires_at, 'pago_em', c.paid_at, 'pix_copia_e_cola', c.pix_code, 'historico', (select coalesce(json_agg(json_build_object('o_que', h.kind, 'por', h.cause, 'em', h.at) order by h.id), '[]') from charge_events h where h.seller_id = c.seller_id and h.charge_id = c.id))", "charges c where c.seller_id = s.seller_id and c.sale_id = s.id")},
      'devolucoes', ${jsonListSql("r.requested_at", "json_build_object('situacao', r.status, 'valor', (r.amount_cents / 100.0)::numeric(12, 2), 'pedida_em', r.requested_at, 'terminada_em', r.ended_at)", "refunds r inner join charges c on r.seller_id = c.seller_id and r.charge_id = c.id where c.seller_id = s.seller_id and c.sale_id = s.id")},
      'contestacoes', ${jsonListSql("d.opened_at", "json_build_object('situacao', d.status, 'valor', (d.amount_cents / 100.0)::numeric(12, 2), 'numero_no_provedor', d.provider_id, 'aberta_em', d.opened_at, 'comprovantes_enviados_em', d.evidence_sent_at, 'decidida_em', d.decided_at)", "disputes d where d.seller_id = s.seller_id and d.sale_id = s.id")},
      'pedidos_de_reembolso', ${jsonListSql("q.created_at", "json_build_object('tipo', q.kind, 'motivo', q.reason, 'pedido_em', q.created_at, 'resposta', q.answer, 'palavras_da_resposta', q.answer_text, 'respondido_em', q.answered_at)", "refund_requests q where q.seller_id = s.seller_id and q.sale_id = s.id")},
      'emails_para_voce', ${jsonListSql("m.created_at", "json_build_object('tipo', m.kind, 'para', m.recipient, 'assunto', m.subject, 'situacao', m.status, 'escrito_em', m.created_at, 'enviado_em', m.sent_at, 'entregue_em', m.delivered_at, 'devolvido_em', m.bounced_at)", "mails m where m.seller_id = s.seller_id and m.sale_id = s.id and m.recipient = s.customer_email")},
      'downloads', ${jsonListSql("d.at", "json_build_object('item', d.item_id, 'em', d.at)", "downloads d where d.seller_id = s.seller_id and d.sale_id = s.id")},
      'ofertas', ${jsonListSql("o.shown_at", "json_build_object('oferta', o.upsell_id, 'mostrada_em', o.shown_at, 'resposta', o.answer, 'respondida_em', o.answered_at)", "upsell_showings o where o.seller_id = s.seller_id and o.sale_id = s.id")},
      'historico', ${jsonListSql("e.id", "json_build_object('o_que', e.kind, 'dados', e.data, 'por', e.cause, 'em', e.at)", "sale_events e where e.seller_id = s.seller_id and e.sale_id = s.id")},
      'contado_a_outros', ${jsonListSql(
        "t.at",
        "json_build_object('a_quem', t.whom, 'o_que', t.what, 'situacao', t.status, 'em', t.at)",
        `(
        select case d.kind when 'webhook' then coalesce(substring(d.settings ->> 'url' from '//([^/:]+)'), 'webhook') when 'utmify' then 'UTMify' else d.kind end as whom,
          n.event as what, n.status, n.created_at as at
        from deliveries n inner join destinations d on d.id = n.destination_id where n.seller_id = s.seller_id and n.sale_id = s.id
      ) t`,
      )}
    ) as order
    from sales s
    where s.customer_email = ${email} and s.created_at >= ${cursor.at}::text::timestamptz
      and (s.created_at, s.id) > (${cursor.at}::text::timestamptz, ${cursor.id}::uuid)
    order by s.created_at, s.id limit ${ORDERS_PER_BATCH}`);
}

/** Money as JSON numbers with two decimals. */
function reaisSql(column: string) {
  return sql.raw(`(${column} / 100.0)::numeric(12, 2)`);
}

/** The rows of a query about the sale `s`, as a JSON list. Contains no values of a request. */
function jsonListSql(order: string, row: string, from: string) {
  return sql.raw(`(select coalesce(json_agg(${row} order by ${order}), '[]') from ${from})`);
}

async function readOtherMails(email: string): Promise<unknown[]> {
  return batchDb.execute(sql`
    select kind as tipo, subject as assunto, status as situacao, created_at as escrito_em, sent_at as enviado_em
    from mails where recipient = ${email} and sale_id is null and seller_id is null order by created_at limit 1000`);
}

/** At the sellers of their orders: of others only a hash of the address would be known. */
async function readOptOuts(email: string): Promise<unknown[]> {
  const hashes = sql.join(
    computeAddressHashes(email).map((hash) => sql`${hash}`),
    sql`, `,
  );
  return batchDb.execute(sql`
    select coalesce(nullif(v.company, ''), v.name) as vendido_por, o.at as recusados_em
    from reminder_opt_outs o inner join sellers v on v.id = o.seller_id
    where o.seller_id in (select seller_id from sales where customer_email = ${email}) and o.email_hash in (${hashes})
    order by o.at limit 1000`);
}

/** A request that waits or is being worked off; null where there is none. */
async function readErasure(email: string): Promise<unknown> {
  const [request] = await batchDb.execute(
    sql`select requested_at as pedido_em from erasures where email = ${email}`,
  );
  return request ?? null;
}

async function readSessions(email: string): Promise<unknown[]> {
  return batchDb.execute(sql`
    select created_at as pedido_em, token_hash is not null as aberto, expires_at as vale_ate
    from buyer_sessions where email = ${email} order by created_at limit 1000`);
}
