import { Link, useSearchParams, useSubmit } from "@remix-run/react";
import { Download } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import { DataAge } from "#app/routes/seller/reports/data-age.tsx";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { Plain } from "#app/ui/seller/scripted.tsx";

const PERIODS = [
  ["7d", "Últimos 7 dias"],
  ["30d", "Últimos 30 dias"],
  ["90d", "Últimos 90 dias"],
  ["1y", "Último ano"],
] as const;

/** Selects the period of everything below, and links to the export of all its sales. */
export function ReportsScreen({
  report,
  children,
}: {
  report: { tab: "sales" | "funnel" | "emails" | "refunds"; range: string; dataAge: number | null };
  children: ReactNode;
}) {
  const [query] = useSearchParams();
  const requestedRange = query.get("range");
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const otherParameters = [...query].filter(([name]) => !["range", "before", "after"].includes(name));
  const filter = new URLSearchParams([...otherParameters, ["range", report.range]]);
  return (
    <Screen
      width="list"
      title="Relatórios"
      text={
        report.tab === "sales" ? (
          <>
            <Link to={paths.reconciliation()} className="link">
              Conciliação
            </Link>
            {" · "}
            <Link to={paths.importStatement()} className="link">
              Conferir com o extrato do provedor
            </Link>
          </>
        ) : undefined
      }
      action={
        <div className="flex flex-wrap items-center gap-2 max-sm:grow">
          <Form
            ref={form}
            method="get"
            action={paths.reports()}
            preventScrollReset
            className="flex gap-2 max-sm:grow"
          >
            {otherParameters.map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <div className="max-sm:grow">
              <select
                aria-label="Período"
                key={report.range}
                name="range"
                defaultValue={report.range}
                className="select h-11 w-full min-w-38 sm:w-44"
                onChange={() => submit(form.current)}
              >
                {PERIODS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </div>
            <Plain>
              <button type="submit" className="btn min-h-11">
                Ver
              </button>
            </Plain>
          </Form>
          {report.tab === "sales" && (
            <a
              href={paths.reportsExport(filter.toString())}
              className="btn min-h-11 border-base-300 bg-base-100"
              download
            >
              <Download className="size-4" aria-hidden="true" />
              Exportar CSV
            </a>
          )}
        </div>
      }
    >
      {requestedRange && requestedRange !== report.range && (
        <Alert tone="warning" live={false} className="mb-4">
          Não conhecemos o período “{requestedRange.slice(0, 20)}”: estes são os últimos 7 dias.
        </Alert>
      )}
      <DataAge minutes={report.dataAge} />
      {children}
    </Screen>
  );
}
