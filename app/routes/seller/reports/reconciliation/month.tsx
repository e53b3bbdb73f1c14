import { Link } from "@remix-run/react";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import type { ReconciliationView } from "#app/routes/seller/reports/reconciliation/reconciliation.server.ts";

/** The month, and links to those beside it. */
export function ChooseMonth({ view }: { view: ReconciliationView }) {
  return (
    <nav aria-label="Mês" className="flex items-center gap-1">
      <Neighbour month={view.olderMonth} name="Mês anterior">
        <ChevronLeft className="size-4" aria-hidden="true" />
      </Neighbour>
      <span className="min-w-36 text-center font-medium text-sm">{view.label}</span>
      <Neighbour month={view.newerMonth} name="Mês seguinte">
        <ChevronRight className="size-4" aria-hidden="true" />
      </Neighbour>
    </nav>
  );
}

function Neighbour(props: {
  month: ReconciliationView["olderMonth"];
  name: string;
  children: React.ReactNode;
}) {
  if (!props.month) return <span className="size-11" />;
  return (
    <Link to={paths.reconciliation(`month=${props.month.name}`)} className="btn btn-ghost btn-square size-11">
      {props.children}
      <span className="sr-only">
        {props.name}: {props.month.label}
      </span>
    </Link>
  );
}
