import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import type { Preview } from "#app/routes/seller/reports/import/import.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

const FIELDS = [
  { name: "id", label: "Identificador", required: true },
  { name: "amount", label: "Valor", required: false },
  { name: "state", label: "Situação", required: false },
  { name: "date", label: "Data", required: false },
] as const;

/** The first rows of a statement, and the assignment of its columns. */
export function AssignColumns({
  preview,
  refused,
}: {
  preview: Preview;
  refused: { field: string | null } | null;
}) {
  const isWrong = refused?.field === "id";
  const idField = useRef<HTMLSelectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new error moves the focus to its field
  useEffect(() => {
    if (isWrong) idField.current?.focus();
  }, [refused]);
  const { text, columns, width, rows, more } = preview;
  const names = Array.from({ length: width }, (_, at) => {
    const name = columns.hasNoHeader ? "" : (rows[0]?.[at] ?? "");
    return name ? `${at + 1}. ${name}` : `Coluna ${at + 1}`;
  });
  return (
    <Card title="Colunas" text="Diga o que há em cada coluna. Sem a coluna, a comparação não olha para ela.">
      <Form method="post" encType="multipart/form-data" noValidate className="flex flex-col gap-4" key={text}>
        <textarea name="statement" defaultValue={text} readOnly hidden />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {FIELDS.map(({ name, label, required }) => (
            <div key={name} className="flex min-w-0 flex-col gap-1 text-sm">
              <label htmlFor={`coluna-${name}`} className="font-medium">
                {label}
              </label>
              <select
                id={`coluna-${name}`}
                ref={required ? idField : undefined}
                name={name}
                required={required}
                aria-invalid={(required && isWrong) || undefined}
                defaultValue={columns[name] ?? ""}
                className={`select h-11 w-full text-base sm:text-sm ${required && isWrong ? "select-error" : ""}`}
              >
                <option value="">{required ? "Escolha a coluna" : "Não há"}</option>
                {names.map((column, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its index
                  <option key={at} value={at}>
                    {column}
                  </option>
                ))}
              </select>
            </div>
          ))}
        </div>
        <div className="flex flex-wrap gap-x-6 text-sm">
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="head" defaultChecked={!columns.hasNoHeader} className="checkbox" />A
            primeira linha é o cabeçalho
          </label>
          <label className="flex min-h-11 items-center gap-2">
            <input type="checkbox" name="cents" defaultChecked={columns.isInCents} className="checkbox" />
            Valores em centavos
          </label>
        </div>
        <section
          className="overflow-x-auto"
          aria-label="Começo do arquivo"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
          tabIndex={0}
        >
          <table className="table text-xs">
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other id
                <tr key={at}>
                  {names.map((name, column) => (
                    <td key={name} className="max-w-56 truncate">
                      {row[column] ?? ""}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        {more > 0 && (
          <p className="text-base-content/70 text-sm">
            e mais {more.toLocaleString("pt-BR")} {more === 1 ? "linha" : "linhas"}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <SubmitButton intent="compare" pending="Comparando...">
            Comparar
          </SubmitButton>
          <Link to={paths.importStatement()} className="btn btn-ghost min-h-11">
            Escolher outro arquivo
          </Link>
        </div>
      </Form>
    </Card>
  );
}
