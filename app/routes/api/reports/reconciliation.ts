import { z } from "zod";
import { DIFFERENCES, type DifferenceKind } from "#app/domain/reconciliation/differences.ts";
import { requestedReconciledDays } from "#app/domain/reconciliation/month.ts";
import { readReconciliation } from "#app/domain/reconciliation/read-reconciliation.server.ts";
import { toReais, toReaisOrNull } from "#app/kit/money.ts";
import { CURSORS, readCursors, writeCursor } from "#app/kit/paginate.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageLinks, pageQuery, readLimit } from "#app/server/api/paging.server.ts";
import { moment, nullableText, reais } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const query = z.object({
  month: z.string().optional().meta({ description: "Um mês, como 2026-11; sem ele, o atual" }),
  day: z.iso.date().optional().meta({ description: "Um dia desse mês: só as diferenças dele" }),
  ...pageQuery(CURSORS.timeAndId).omit({ after: true }).shape,
});

const KINDS = Object.keys(DIFFERENCES) as [DifferenceKind, ...DifferenceKind[]];

const answer = z.object({
  days: z.array(
    z.object({
      date: z.iso.date().meta({ description: "Em São Paulo: o dia em que foi pago" }),
      sales: z.int().meta({ description: "Vendas pagas, também as que depois foram devolvidas" }),
      payments: z.int().meta({ description: "Pagamentos recebidos: com os em dobro e os de outro valor" }),
      received: reais,
      refunded: reais,
      fees: reais.meta({ description: "A soma das taxas que o provedor informou; nenhuma é estimada" }),
      payments_without_fee: z.int().meta({ description: "Pagamentos cuja taxa o provedor não informou" }),
      net: reais.meta({ description: "received - refunded - fees" }),
      confirmed: z.int().meta({ description: "Pagamentos que o provedor confirmou depois de lançados" }),
      confirmed_at: moment.nullable().meta({ description: "A confirmação mais recente" }),
      to_check: z.int().meta({ description: "Pagamentos que ainda faltam conferir" }),
      uncheckable: z.int().meta({ description: "Pagamentos que não podem ser conferidos" }),
      differences: z.int().meta({ description: "Diferenças que ainda não foram resolvidas" }),
      difference: reais.meta({ description: "A soma delas" }),
      explained: z.int().meta({ description: "Diferenças explicadas, que já estão lançadas" }),
      statement_read: z.boolean().meta({ description: "O extrato do provedor deste dia foi lido" }),
      other_payments: z
        .int()
        .meta({ description: "Pagamentos nesse extrato que são de outros sistemas da mesma conta" }),
      completed_sales: z
        .int()
        .meta({ description: "As vendas que os outros relatórios contam neste dia, com as gratuitas" }),
      completed_revenue: reais,
    }),
  ),
  differences: z.array(
    z.object({
      date: z.iso.date(),
      kind: z.enum(KINDS),
      status: z.enum(["open", "explained", "uncheckable"]),
      amount: reais.meta({ description: "De quanto se trata" }),
      received: reais.nullable(),
      expected: reais.meta({ description: "O valor da cobrança" }),
      sale_id: z.uuid(),
      charge_id: z.uuid().nullable(),
      provider: nullableText,
      at: moment,
    }),
  ),
});

/** A month's payments beside what their providers say, and a page of the differences, newest first. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "A conciliação de um mês: o que foi lançado em cada dia, e no que o provedor difere",
      needs: "read",
      query,
      answer,
      isReport: true,
      paged: true,
      example: { query: { limit: "50" } },
    },
    async ({ request, seller }) => {
      const url = new URL(request.url);
      const { before } = readCursors(url.searchParams);
      const found = await readReconciliation(
        seller.id,
        requestedReconciledDays(url.searchParams, new Date()),
        { limit: readLimit(url), before: before && { at: before.createdAt, id: before.id } },
      );
      const older = found.older && { createdAt: found.older.at, id: found.older.id };
      const body = {
        days: found.days.map((day) => ({
          date: day.day,
          sales: day.sales,
          payments: day.payments,
          received: toReais(day.receivedCents),
          refunded: toReais(day.refundedCents),
          fees: toReais(day.feeCents),
          payments_without_fee: day.withoutFee,
          net: toReais(day.netCents),
          confirmed: day.confirmed,
          confirmed_at: day.confirmedAt?.toISOString() ?? null,
          to_check: day.unchecked,
          uncheckable: day.uncheckable,
          differences: day.differences,
          difference: toReais(day.differenceCents),
          explained: day.explained,
          statement_read: day.statementsRead > 0 && day.statementsPending === 0,
          other_payments: day.otherPayments,
          completed_sales: day.completedSales,
          completed_revenue: toReais(day.completedCents),
        })),
        differences: found.differences.map((one) => ({
          date: one.day,
          kind: one.kind,
          status: DIFFERENCES[one.kind],
          amount: toReais(one.cents),
          received: toReaisOrNull(one.receivedCents),
          expected: toReais(one.expectedCents),
          sale_id: one.saleId,
          charge_id: one.chargeId,
          provider: one.provider,
          at: one.at.toISOString(),
        })),
      };
      return json(body, 200, pageLinks(url, { newer: null, older }, writeCursor));
    },
  ),
});
