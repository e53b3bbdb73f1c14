import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import type { ComparisonView } from "#app/routes/seller/reports/import/import.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";

type Line = { id: string; saleId?: string; theirs?: string; ours?: string };

/** The differences between a statement and our records. */
export function ComparisonResult({ comparison }: { comparison: ComparisonView }) {
  const { rows, matching: same, scheduled, unaskable, unknown, differing, missing } = comparison;
  const box = useRef<HTMLDivElement>(null);
  // It is above the button that requested it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new comparison is scrolled into view
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView();
  }, [comparison]);
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <Card title="Resultado">
        <div className="flex flex-col gap-5 text-sm">
          <Alert tone={comparison.isAllSame ? "success" : "info"}>
            {`${count(rows, "pagamento", "pagamentos")} no arquivo: ${count(same, "igual", "iguais")}, ${count(differing.count, "diferente", "diferentes")}, ${count(unknown.count, "que não é desta conta", "que não são desta conta")}.`}
            {unaskable > 0 &&
              ` De ${unaskable.toLocaleString("pt-BR")} dos diferentes não temos mais a chave do provedor: conecte a conta de novo e compare outra vez.`}
            {scheduled > 0 &&
              ` Vamos perguntar ao provedor ${unaskable > 0 ? "pelos outros" : "por cada pagamento diferente"}, aos poucos; o que ele responder aparece em cada venda.`}
            {unknown.count === rows && " Confira se a coluna do identificador é a certa."}
          </Alert>
          <Lines title="Diferentes" total={differing.count} lines={differing.listed} />
          <Lines title="No arquivo, mas não aqui" total={unknown.count} lines={unknown.listed} />
          {missing && (
            <Lines
              title={`Aqui, mas não no arquivo, ${missing.span}`}
              total={missing.count}
              lines={missing.listed}
            />
          )}
        </div>
      </Card>
    </div>
  );
}

function Lines({ title, total, lines }: { title: string; total: number; lines: Line[] }) {
  if (total === 0) return null;
  return (
    <section>
      <h3 className="mb-1 font-semibold">{`${title} (${total.toLocaleString("pt-BR")})`}</h3>
      <ul className="divide-y divide-base-300">
        {lines.map(({ id, saleId, theirs, ours }) => (
          <li key={id} className="py-2">
            {saleId ? (
              <Link to={paths.sale(saleId)} className="link wrap-anywhere">
                {id}
              </Link>
            ) : (
              <span className="wrap-anywhere">{id}</span>
            )}
            {theirs && <span className="block">No arquivo: {theirs}</span>}
            {ours && <span className="block">Aqui: {ours}</span>}
          </li>
        ))}
      </ul>
      {total > lines.length && (
        <p className="mt-1 text-base-content/70">{`Mostramos os primeiros ${lines.length}.`}</p>
      )}
    </section>
  );
}

function count(many: number, one: string, more: string): string {
  return `${many.toLocaleString("pt-BR")} ${many === 1 ? one : more}`;
}
