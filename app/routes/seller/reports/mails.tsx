import { Link, useNavigation, useSearchParams } from "@remix-run/react";
import { Mail } from "lucide-react";
import { describeMailProblem } from "#app/domain/reports/describe-mail-problem.ts";
import { formatPercent } from "#app/domain/reports/figures/percent.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { DayAndTime } from "#app/routes/seller/reports/day-and-time.tsx";
import { Figures } from "#app/routes/seller/reports/figure.tsx";
import { ApplyFilter, Choice, FilterForm } from "#app/routes/seller/reports/filter.tsx";
import type { MailsReport } from "#app/routes/seller/reports/mails.server.ts";
import { Pager } from "#app/routes/seller/reports/pager.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { MailBadge } from "#app/ui/seller/mail-badge.tsx";
import { ResendAccess } from "#app/ui/seller/sale/resend-access.tsx";

/** The mails that give buyers access, and what became of each. */
export function MailsTab({ report }: { report: MailsReport }) {
  const navigation = useNavigation();
  const waiting = navigation.state === "loading" && navigation.location.pathname === "/reports";
  const { sent, failed, rate, attempts } = report.totals;
  return (
    <div
      aria-busy={waiting || undefined}
      className={`flex flex-col gap-6 ${waiting ? "opacity-60 transition-opacity delay-150" : ""}`}
    >
      <Figures
        items={[
          {
            label: "Emails Enviados",
            value: sent.toLocaleString("pt-BR"),
            meaning: "Aceitos pelo provedor.",
          },
          {
            label: "Emails com Falha",
            value: failed.toLocaleString("pt-BR"),
            meaning: "Recusados, devolvidos ou sem resposta até o fim.",
          },
          {
            label: "Taxa de Entrega",
            value: rate === null ? "–" : formatPercent(rate),
            meaning: "Enviados, de todos os emails do período.",
          },
          {
            label: "Total de Tentativas",
            value: attempts.toLocaleString("pt-BR"),
            meaning: "Somadas as de todos os emails.",
          },
        ]}
      />
      <Card
        title="Emails aos compradores"
        text="Os que dão acesso à compra, criados no período, do mais novo ao mais antigo."
        flush
      >
        <Filter report={report} />
        {report.mails.length === 0 ? (
          <EmptyState icon={Mail} title="Nenhum log de email encontrado" />
        ) : (
          <MailTable mails={report.mails} />
        )}
        <Pager newer={report.newer} older={report.older} />
      </Card>
    </div>
  );
}

const STATUSES = [
  ["all", "Todos os status"],
  ["sent", "Enviados"],
  ["attempting", "Tentando"],
  ["failed", "Com falha"],
] as const;

function Filter({ report }: { report: MailsReport }) {
  return (
    <FilterForm tab="emails" range={report.range} className="flex gap-2 border-base-300 border-b px-5 pb-4">
      <Choice
        {...{ label: "Status do email", name: "delivery", value: report.status, width: "w-full sm:w-52" }}
        options={STATUSES}
      />
      <ApplyFilter />
    </FilterForm>
  );
}

const COLUMNS = [
  ["Data", "w-30"],
  ["Cliente e destinatário", ""],
  ["Produto", "w-52"],
  ["Status", "w-34"],
  ["Tentativas", "w-22 text-center"],
] as const;

function MailTable({ mails }: { mails: MailsReport["mails"] }) {
  const [query] = useSearchParams();
  return (
    <table className="block w-full text-sm xl:table xl:table-fixed">
      <caption className="sr-only">Emails aos compradores</caption>
      <thead className="hidden xl:table-header-group">
        <tr className="border-base-300 border-b text-left text-base-content/70 text-xs">
          {COLUMNS.map(([label, width]) => (
            <th key={label} scope="col" className={`px-3 py-2 font-medium first:pl-5 ${width}`}>
              {label}
            </th>
          ))}
          <th scope="col" className="w-42">
            <span className="sr-only">Ações</span>
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-base-300 xl:table-row-group">
        {mails.map((mail) => (
          <tr
            key={mail.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-5 py-3 xl:table-row xl:p-0 xl:hover:bg-base-200/60"
          >
            <td className="order-3 text-base-content/70 text-xs xl:py-2 xl:pl-5">
              <DayAndTime moment={mail.createdAt} />
            </td>
            <td className="order-1 min-w-0 xl:px-3 xl:py-2">
              <span className="wrap-anywhere block font-medium xl:font-normal">
                {mail.customerName ?? "Sem nome"}
              </span>
              <span className="wrap-anywhere block text-base-content/70 text-xs">
                {mail.recipient || "–"}
              </span>
            </td>
            <td className="order-4 min-w-0 text-right xl:px-3 xl:py-2 xl:text-left">
              <span className="wrap-anywhere hidden xl:block">{mail.productName}</span>
              <span className="block whitespace-nowrap xl:text-base-content/70 xl:text-xs">
                {formatMoney(mail.amountCents)}
              </span>
            </td>
            <td className="order-2 max-w-44 text-right xl:px-3 xl:py-2 xl:text-left">
              <MailBadge status={mail.status} />
              {describeMailProblem(mail) && (mail.status !== "sent" || mail.templateFailedAt) && (
                <span className="mt-1 block break-words text-base-content/70 text-xs">
                  {describeMailProblem(mail)}
                </span>
              )}
            </td>
            <td className="order-5 self-center text-base-content/70 text-xs xl:px-3 xl:py-2 xl:text-center xl:text-base-content xl:text-sm">
              {mail.attempts}
              <span className="xl:hidden"> {mail.attempts === 1 ? "tentativa" : "tentativas"}</span>
            </td>
            <td className="order-6 max-xl:-mr-3 flex flex-wrap justify-end xl:table-cell xl:whitespace-nowrap xl:py-1 xl:pr-3 xl:text-right">
              <Link
                to={paths.sale(mail.saleId, query.toString())}
                preventScrollReset
                className="btn btn-ghost btn-sm min-h-11 px-2"
              >
                Detalhes
                <span className="sr-only"> da venda de {mail.customerName ?? mail.recipient}</span>
              </Link>
              {mail.status === "failed" && (
                <ResendAccess sale={{ ...mail, id: mail.saleId, status: mail.saleStatus }} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
