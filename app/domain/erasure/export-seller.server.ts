import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { reportsDb } from "#app/db/replica/read-clients.server.ts";
import { sales } from "#app/db/schema/sales.server.ts";
import { paidSaleColumns } from "#app/domain/charge/payment-summary-columns.server.ts";
import { soldLine } from "#app/domain/content/removed-contents.server.ts";
import { sumPayments } from "#app/domain/sale/payment-totals.ts";
import { derivePayments } from "#app/domain/sale/payments.ts";
import { toReais, toReaisOrNull } from "#app/kit/money.ts";
import { unseal } from "#app/platform/secrets.server.ts";
import { FIRST_CURSOR, readBatches } from "#app/queue/read-batches.server.ts";

/** Rows read at once: limits memory, for any length of the file. */
const ROWS_PER_BATCH = 200;

type ExportRow = { cursor: string; item: Record<string, unknown> };

/**
 * A seller's account as JSON: account, shop settings, products, contents of removed bumps and upsells, coupons, sales from old
 * to new. Keys and other secrets are left out.
 * Each piece of up to 200 rows is read by a cursor on demand.
 * @param times.dataTime from when the data is, where the file should say so
 */
export async function* exportSeller(
  sellerId: string,
  { now = new Date(), dataTime = null }: { now?: Date; dataTime?: Date | null } = {},
): AsyncGenerator<string> {
  const [account] = await reportsDb.execute<{ account: Record<string, unknown> }>(readAccount(sellerId));
  const dataFrom = dataTime ? { dados_de: dataTime.toISOString() } : {};
  const head = { gerado_em: now.toISOString(), ...dataFrom, ...account!.account };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "produtos": [`;
  yield* streamList((after) => readProducts(sellerId, after));
  yield '\n  ],\n  "conteudos_removidos": [';
  yield* streamList((after) => readRemovedContents(sellerId, after));
  yield '\n  ],\n  "cupons": [';
  yield* streamList((after) => readCoupons(sellerId, after));
  yield '\n  ],\n  "vendas": [';
  yield* streamList((after) => readSales(sellerId, after));
  yield "\n  ]\n}\n";
}

async function* streamList(readRows: (after: string | null) => Promise<ExportRow[]>): AsyncGenerator<string> {
  const read = (after: { cursor: string | null }) => readRows(after.cursor);
  let comma = "";
  for await (const rows of readBatches({ cursor: null }, ROWS_PER_BATCH, read)) {
    const items = rows.map(({ item }) => `\n    ${JSON.stringify(withReadableDocument(item))}`);
    yield comma + items.join(",");
    comma = ",";
  }
}

/** Decrypts the buyer's document. */
function withReadableDocument({ documento, ...item }: Record<string, unknown>): Record<string, unknown> {
  return documento === undefined ? item : { ...item, documento: documento && unseal(String(documento)) };
}

function readAccount(sellerId: string): SQL {
  return sql`
    select json_build_object(
      'conta', json_build_object('nome', s.name, 'email', s.email, 'empresa', s.company, 'telefone', s.phone,
        'criada_em', s.created_at, 'encerrada_em', s.closed_at,
        'avisos', json_build_object('nova_venda', s.notify_new_sale, 'pagamento_que_falhou', s.notify_failed_payment,
          'relatorio_semanal', s.notify_weekly_report, 'relatorio_mensal', s.notify_monthly_report)),
      'dados_da_loja', (select json_build_object('nome', d.legal_name, 'cpf_ou_cnpj', d.tax_id, 'logradouro', d.street,
          'numero', d.number, 'complemento', d.complement, 'bairro', d.district, 'cidade', d.city, 'uf', d.state,
          'cep', d.postal_code, 'email', d.email, 'telefone', d.phone) from store_details d where d.seller_id = s.id),
      'configuracoes', json_build_object(
        'checkout', (select c.settings from checkout_customizations c where c.seller_id = s.id),
        'obrigado', (select t.settings from thank_you_customizations t where t.seller_id = s.id),
        'modelo_de_email', (select json_build_object('remetente', e.sender_name, 'endereco', e.sender_email,
          'assunto', e.subject, 'html', e.html_content) from email_templates e where e.seller_id = s.id),
        'dominio_de_email', (select d.domain_name from email_domains d where d.seller_id = s.id),
        'lembretes_em_minutos', (select m.reminder_minutes from mail_settings m where m.seller_id = s.id),
        'utmify', (select json_build_object('origem', u.settings ->> 'sourceId', 'ligado', u.settings -> 'isEnabled')
          from destinations u where u.seller_id = s.id and u.deleted_at is null and u.kind = 'utmify'),
        'destinos', (select coalesce(json_agg(json_build_object('tipo', w.kind, 'nome', w.name, 'eventos', w.events,
            'endereco', w.settings ->> 'url', 'criado_em', w.created_at) order by w.created_at), '[]')
          from destinations w where w.seller_id = s.id and w.deleted_at is null and w.kind <> 'utmify'),
        'arquivos', (select coalesce(json_agg(json_build_object('nome', f.name, 'bytes', f.size, 'enviado_em', f.created_at)
            order by f.created_at), '[]') from files f where f.seller_id = s.id and f.ready_at is not null and not f.is_copy))
    ) as account from sellers s where s.id = ${sellerId}`;
}

/** Content items `i` as JSON. @param from where they are, as the end of a query; contains no values of a request */
function itemsSql(from: string): SQL {
  return sql.raw(`(select coalesce(json_agg(json_build_object('numero', i.id, 'tipo', i.kind, 'nome', i.name, 'endereco', i.url, 'html', i.html)
    order by i.position), '[]') from ${from})`);
}

async function readProducts(sellerId: string, after: string | null): Promise<ExportRow[]> {
  const sellableFieldsSql = (alias: string) =>
    sql.raw(`'nome', ${alias}.name, 'descricao', ${alias}.description, 'preco', (${alias}.price_cents / 100.0)::numeric(12, 2),
      'preco_original', (${alias}.original_price_cents / 100.0)::numeric(12, 2), 'desconto', ${alias}.discount_percentage,
      'imagem', ${alias}.image_url, 'arquivo', ${alias}.file_url, 'ultimo_arquivo', ${alias}.last_file_url`);
  const promotionSql = (alias: string) =>
    sql.raw(`'texto_promocional', ${alias}.promotion_text, 'texto_de_urgencia', ${alias}.urgency_text`);
  const contentSql = (owner: string) =>
    sql`'conteudo', ${itemsSql(`contents c inner join content_items i on i.content_id = c.id where c.${owner}`)}`;
  return reportsDb.execute<ExportRow>(sql`
    select p.id::text as cursor, json_build_object('numero', p.id, ${sellableFieldsSql("p")}, ${promotionSql("p")},
      'redirecionamento', p.redirect_url, 'banner', p.banner_image_url, 'link_do_banner', p.banner_link_url,
      'endereco_do_checkout', p.checkout_slug, 'criado_em', p.created_at, 'ligado', p.deactivated_at is null and p.archived_at is null,
      'order_bumps', (select coalesce(json_agg(json_build_object('numero', b.id, ${sellableFieldsSql("b")}, ${promotionSql("b")},
          'ligado', b.deactivated_at is null, ${contentSql("order_bump_id = b.id")}) order by b.position), '[]')
        from order_bumps b where b.seller_id = p.seller_id and b.product_id = p.id),
      'ofertas', (select coalesce(json_agg(json_build_object('numero', o.id, ${sellableFieldsSql("o")}, 'video', o.video_url, 'beneficios', o.benefits,
          'ligado', o.deactivated_at is null, ${contentSql("upsell_id = o.id")}) order by o.position), '[]')
        from upsells o where o.seller_id = p.seller_id and o.product_id = p.id),
      'precos', (select coalesce(json_agg(json_build_object('numero', f.id, 'nome', f.name, 'tipo', f.kind,
        'preco', (f.price_cents / 100.0)::numeric(12, 2), 'preco_original', (f.original_price_cents / 100.0)::numeric(12, 2),
        'endereco_do_checkout', f.slug, 'inicio', f.starts_at, 'fim', f.ends_at, 'limite_de_unidades', f.max_units,
        'limite_por_pessoa', f.max_units_per_buyer, 'quantidade_minima', f.min_quantity, 'quantidade_maxima', f.max_quantity,
        'order_bumps', f.bump_ids, 'upsells', f.upsell_ids, 'conteudo', f.content_item_ids, 'unidades', f.units, 'criado_em', f.created_at,
        'ligado', f.deactivated_at is null and f.archived_at is null) order by f.archived_at nulls first, f.position), '[]')
        from offers f where f.seller_id = p.seller_id and f.product_id = p.id),
      ${contentSql("product_id = p.id")}
    ) as item
    from products p where p.seller_id = ${sellerId} and p.id > ${after ?? "0"}::text::bigint order by p.id limit ${ROWS_PER_BATCH}`);
}

/** Of bumps and upsells that were removed, with the link they were sold with last: those who bought them still get both. */
async function readRemovedContents(sellerId: string, after: string | null): Promise<ExportRow[]> {
  return reportsDb.execute<ExportRow>(sql`
    select contents.id::text as cursor, json_build_object('produto', sold.product_id, 'vendido_como', sold.name, 'arquivo', sold.file_url,
      'conteudo', ${itemsSql("content_items i where i.content_id = contents.id")}) as item
    from contents inner join lateral ${soldLine} sold on true
    where contents.seller_id = ${sellerId} and num_nonnulls(contents.product_id, contents.order_bump_id, contents.upsell_id) = 0
      and contents.id > ${after ?? FIRST_CURSOR.id}::uuid
    order by contents.id limit ${ROWS_PER_BATCH}`);
}

async function readCoupons(sellerId: string, after: string | null): Promise<ExportRow[]> {
  return reportsDb.execute<ExportRow>(sql`
    select c.id::text as cursor, json_build_object('codigo', c.code, 'porcentagem', c.percent,
      'desconto_em_reais', (c.amount_cents / 100.0)::numeric(12, 2), 'tambem_order_bumps', c.includes_bumps,
      'produtos', c.product_ids, 'ofertas', c.offer_ids, 'inicio', c.starts_at, 'fim', c.ends_at, 'limite_de_usos', c.max_uses,
      'limite_por_pessoa', c.max_uses_per_buyer, 'preco_minimo', (c.minimum_cents / 100.0)::numeric(12, 2),
      'so_na_primeira_compra', c.is_first_purchase_only, 'usos', c.uses, 'criado_em', c.created_at,
      'ligado', c.deactivated_at is null and c.archived_at is null) as item
    from coupons c where c.seller_id = ${sellerId} and c.id > ${after ?? FIRST_CURSOR.id}::uuid
    order by c.id limit ${ROWS_PER_BATCH}`);
}

/** Its sums are those of the sales report's CSV: of every payment, whatever each is to its sale. */
async function readSales(sellerId: string, after: string | null): Promise<ExportRow[]> {
  const [at, id] = after?.split("|") ?? [FIRST_CURSOR.at, FIRST_CURSOR.id];
  const rows = await reportsDb
    .select({
      cursor: sql<string>`${sales.createdAt}::text || '|' || ${sales.id}`,
      item: sql<
        ExportRow["item"]
      >`json_build_object('numero', sales.id, 'de_outra_venda', sales.parent_sale_id,
      'situacao', sales.status, 'criada_em', sales.created_at, 'paga_em', sales.completed_at, 'devolvida_em', sales.refunded_at,
      'valor', (sales.amount_cents / 100.0)::numeric(12, 2),
      'forma', sales.payment_method, 'cupom', sales.coupon_code, 'oferta', sales.offer_name, 'quantidade', sales.quantity,
      'nome', sales.customer_name, 'email', sales.customer_email, 'telefone', sales.customer_phone, 'documento', sales.customer_document_sealed,
      'utm_source', sales.utm_source, 'utm_medium', sales.utm_medium, 'utm_campaign', sales.utm_campaign, 'utm_term', sales.utm_term,
      'utm_content', sales.utm_content, 'parametros', sales.campaign,
      'itens', (select coalesce(json_agg(json_build_object('tipo', l.kind, 'nome', l.name,
        'valor', (l.price_cents / 100.0)::numeric(12, 2), 'desconto', ((l.discount_cents + l.method_discount_cents) / 100.0)::numeric(12, 2)) order by l.position), '[]') from sale_lines l where l.seller_id = sales.seller_id and l.sale_id = sales.id),
      'pagamentos', (select coalesce(json_agg(json_build_object('provedor', c.provider, 'numero_no_provedor', c.provider_id,
        'situacao', c.status, 'valor', (c.amount_cents / 100.0)::numeric(12, 2), 'recebido', (c.paid_cents / 100.0)::numeric(12, 2),
        'taxa', (c.fee_cents / 100.0)::numeric(12, 2), 'pago_em', c.paid_at) order by c.created_at), '[]')
        from charges c where c.seller_id = sales.seller_id and c.sale_id = sales.id),
      'devolucoes', (select coalesce(json_agg(json_build_object('numero_no_provedor', c.provider_id, 'situacao', r.status,
        'valor', (r.amount_cents / 100.0)::numeric(12, 2), 'pedida_em', r.requested_at, 'terminada_em', r.ended_at) order by r.requested_at), '[]')
        from charges c inner join refunds r on r.seller_id = c.seller_id and r.charge_id = c.id
        where c.seller_id = sales.seller_id and c.sale_id = sales.id),
      'contestacoes', (select coalesce(json_agg(json_build_object('situacao', d.status, 'valor', (d.amount_cents / 100.0)::numeric(12, 2),
        'anotacao', d.note, 'numero_no_provedor', d.provider_id, 'comprovantes_ate', d.evidence_due_at,
        'comprovantes_enviados_em', d.evidence_sent_at, 'aberta_em', d.opened_at, 'decidida_em', d.decided_at) order by d.opened_at), '[]')
        from disputes d where d.seller_id = sales.seller_id and d.sale_id = sales.id),
      'pedidos_de_reembolso', (select coalesce(json_agg(json_build_object('tipo', q.kind, 'motivo', q.reason, 'pedido_em', q.created_at,
        'resposta', q.answer, 'palavras_da_resposta', q.answer_text, 'respondido_em', q.answered_at) order by q.created_at), '[]')
        from refund_requests q where q.seller_id = sales.seller_id and q.sale_id = sales.id)
    )`,
      ...paidSaleColumns,
    })
    .from(sales)
    .where(
      and(
        eq(sales.sellerId, sellerId),
        sql`${sales.createdAt} >= ${at}::text::timestamptz and (${sales.createdAt}, ${sales.id}) > (${at}::text::timestamptz, ${id}::uuid)`,
      ),
    )
    .orderBy(asc(sales.createdAt), asc(sales.id))
    .limit(ROWS_PER_BATCH);
  return rows.map(({ cursor, item, ...sale }) => {
    const { receivedCents, refundedCents, feeCents, netCents } = sumPayments(derivePayments(sale));
    const sums = {
      ...{ recebido: toReais(receivedCents), devolvido: toReais(refundedCents) },
      ...{ taxa: toReaisOrNull(feeCents), liquido: toReaisOrNull(netCents) },
    };
    return { cursor, item: { ...item, ...sums } };
  });
}
