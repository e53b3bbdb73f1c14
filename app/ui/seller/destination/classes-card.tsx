import type { FieldMetadata } from "@conform-to/react";
import type { NamedClass } from "#app/domain/delivery/member-area/settings.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { ITEM_KINDS } from "#app/ui/seller/destination/codes.tsx";
import { FieldError, rowsOf } from "#app/ui/seller/form/field.tsx";

/** An item that may lead to a class, by its code. */
export type ItemChoice = { item: string; name: string; kind: "product" | "bump" | "offer" };

const KNOWN = "turmas-conhecidas";

/** The classes that each product leads to. Classes found by a test are suggested while typing. */
export function ClassesCard(props: {
  field: FieldMetadata<{ item: string; ids: string }[]>;
  items: ItemChoice[];
  known: NamedClass[];
}) {
  const { field, items, known } = props;
  return (
    <Card
      title="Turmas"
      text="O número da turma que cada produto libera; mais de uma, com vírgula. Vazio: não libera nada aqui."
      flush
    >
      {items.length === 0 && (
        <p className="px-5 pb-5 text-base-content/70 text-sm">Você ainda não tem produtos.</p>
      )}
      <datalist id={KNOWN}>
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <ul className="divide-y divide-base-300 border-base-300 border-t">
        {rowsOf(field).map((row) => (
          <ClassRow key={row.key} row={row} choice={choiceOf(row, items)} known={known} />
        ))}
      </ul>
      {known.length > 0 && <Known known={known} />}
    </Card>
  );
}

type Row = FieldMetadata<{ item: string; ids: string }>;

/** A refused form's row may be of an item that was deleted meanwhile. */
function choiceOf(row: Row, items: ItemChoice[]): ItemChoice | undefined {
  const { initialValue } = row.getFieldset().item;
  return items.find(({ item }) => item === initialValue);
}

function ClassRow(props: { row: Row; choice: ItemChoice | undefined; known: NamedClass[] }) {
  const { item, ids } = props.row.getFieldset();
  const { choice, known } = props;
  const saved = String(ids.initialValue ?? "");
  const names = known.filter(({ id }) => saved.split(/\D+/).includes(String(id))).map(({ name }) => name);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <input type="hidden" name={item.name} defaultValue={String(item.initialValue ?? "")} />
      <label htmlFor={ids.id} className="min-w-0 flex-1 basis-52 text-sm">
        <span className="block break-words font-medium">{choice?.name ?? "Produto"}</span>
        <span className="block text-base-content/70 text-xs">
          {[choice && ITEM_KINDS[choice.kind], ...names].filter(Boolean).join(" · ")}
        </span>
      </label>
      <span className="w-full sm:w-52">
        <input
          id={ids.id}
          name={ids.name}
          defaultValue={saved}
          list={KNOWN}
          inputMode="numeric"
          autoComplete="off"
          placeholder="Ex.: 12345"
          maxLength={300}
          aria-invalid={ids.errors ? true : undefined}
          aria-describedby={ids.errors ? ids.errorId : undefined}
          className={`input h-11 w-full text-base sm:text-sm ${ids.errors ? "input-error" : ""}`}
        />
        <FieldError field={ids} />
      </span>
    </li>
  );
}

function Known({ known }: { known: NamedClass[] }) {
  return (
    <details className="border-base-300 border-t px-5 py-2">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-sm underline">
        Turmas encontradas na sua conta ({known.length})
      </summary>
      <ul className="mb-2 flex flex-col gap-1 text-sm">
        {known.map(({ id, name }) => (
          <li key={id} className="min-w-0 break-words">
            <code>{id}</code> · {name}
          </li>
        ))}
      </ul>
    </details>
  );
}
