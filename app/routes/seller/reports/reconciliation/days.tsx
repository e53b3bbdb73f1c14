import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { ReconciliationState } from "#app/domain/reconciliation/describe-sums.ts";
import { paths } from "#app/kit/paths.ts";
import type { ReconciliationView } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";

const TONES: Record<ReconciliationState, BadgeTone> = {
  differs: "warning",
  unchecked: "info",
  uncheckable: "neutral",
  checked: "success",
};

type Day = ReconciliationView["days"][number];

/** The month's days with payments, the newest first. */
export function Days({ view }: { view: ReconciliationView }) {
  return (
    <Card title="Dia a dia" text={`Os dias de ${view.label} com pagamentos, pela hora de Brasília.`} flush>
      <table className="block w-full text-sm lg:table">
        <caption className="sr-only">Pagamentos por dia</caption>
        <thead className="hidden lg:table-header-group">
          <tr className="border-base-300 border-b text-left text-base-content/70 text-xs">
            <Head>Dia</Head>
            <Head>Pagamentos</Head>
            <Head right>Recebido</Head>
            <Head right>Devolvido</Head>
            <Head right>Taxas</Head>
            <Head right>Líquido</Head>
            <Head>Situação</Head>
          </tr>
        </thead>
        <tbody className="block divide-y divide-base-300 border-base-300 border-t lg:table-row-group">
          {view.days.map((day) => (
            <Row key={day.day} day={day} month={view.month} isChosen={day.day === view.day?.name} />
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Row({ day, month, isChosen }: { day: Day; month: string; isChosen: boolean }) {
  return (
    <tr
      className={`relative grid grid-cols-2 gap-x-4 gap-y-1 px-5 py-3 hover:bg-base-200/60 lg:static lg:table-row ${isChosen ? "font-semibold" : ""}`}
    >
      <td className="lg:py-2.5 lg:pr-3 lg:pl-5">
        <Link
          to={paths.reconciliation(`month=${month}&day=${day.day}`)}
          aria-current={isChosen || undefined}
          className="link tabular-nums after:absolute after:inset-0 lg:after:hidden"
        >
          {day.label}
        </Link>
      </td>
      <td className="col-start-2 row-start-1 justify-self-end text-base-content/70 lg:px-3 lg:py-2.5 lg:text-base-content">
        {day.sold}
      </td>
      <Money name="Recebido">{day.received}</Money>
      <Money name="Devolvido">{day.refunded}</Money>
      <Money name="Taxas">
        {day.fee}
        {day.withoutFee > 0 && (
          <span className="block text-base-content/70 text-xs">{`${day.withoutFee.toLocaleString("pt-BR")} sem taxa`}</span>
        )}
      </Money>
      <Money name="Líquido">{day.net}</Money>
      <td className="col-span-2 lg:py-2.5 lg:pr-5 lg:pl-3">
        <Badge tone={TONES[day.state]}>{day.badge}</Badge>
      </td>
    </tr>
  );
}

/** An amount, on a phone with its name. */
function Money({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td className="whitespace-nowrap tabular-nums lg:px-3 lg:py-2.5 lg:text-right">
      <span className="block text-base-content/70 text-xs lg:hidden">{name}</span>
      {children}
    </td>
  );
}

function Head({ children, right }: { children: ReactNode; right?: boolean }) {
  return (
    <th scope="col" className={`px-3 py-2 font-medium first:pl-5 last:pr-5 ${right ? "text-right" : ""}`}>
      {children}
    </th>
  );
}
