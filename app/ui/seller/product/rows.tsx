import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Alert } from "#app/ui/seller/alert.tsx";
import { rowsOf } from "#app/ui/seller/form/field.tsx";
import { RowFrame } from "#app/ui/seller/product/row-frame.tsx";

/** A change of the rows: what is announced once it is done, and what takes the focus. */
type Change = { text: string; focus: (box: HTMLElement) => HTMLElement | null | undefined };

/** Rows of a form that can be moved, removed and added, by keyboard too. The buttons also work without JavaScript. */
export function Rows<T>(props: {
  form: Pick<FormMetadata, "reorder" | "remove" | "insert">;
  list: FieldMetadata<T[]>;
  maxRows: number;
  /** A row's name before its number ('Oferta'), and the end of its participles. */
  noun: string;
  ending: "o" | "a";
  add: string;
  /** Shown while there are none. */
  empty: ReactNode;
  children: (row: FieldMetadata<T>) => ReactNode;
}) {
  const { form, list, noun, ending } = props;
  const rows = rowsOf(list);
  const box = useRef<HTMLDivElement>(null);
  const pending = useRef<Change | null>(null);
  const [announced, announce] = useState("");
  const order = rows.map(({ key }) => key).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change is done once the rows are others.
  useEffect(() => {
    const done = pending.current;
    if (!done) return;
    pending.current = null;
    announce(done.text);
    done.focus(box.current!)?.focus();
  }, [order]);
  const start = (one: Change) => {
    pending.current = one;
  };
  const title = (at: number) => `${noun} ${at + 1}`;
  const rowAt = (all: HTMLElement, at: number) => all.querySelectorAll<HTMLElement>(":scope > fieldset")[at];
  const button = (all: HTMLElement, at: number, name: string) =>
    rowAt(all, at)?.querySelector<HTMLElement>(`[data-row="${name}"]`);
  return (
    <div ref={box} className="contents">
      {rows.length === 0 && props.empty}
      {rows.map((row, at) => (
        <RowFrame
          key={row.key}
          form={form}
          list={list}
          at={at}
          count={rows.length}
          title={title(at)}
          onMove={(to) =>
            start({
              text: `${title(at)} passou para a posição ${to + 1} de ${rows.length}. Falta salvar.`,
              focus: (all) => button(all, to, to < at ? "up" : "down"),
            })
          }
          onRemove={() =>
            start({
              text: `${title(at)} removid${ending}. Falta salvar.`,
              focus: (all) =>
                button(all, at, "remove") ?? all.querySelector<HTMLElement>(":scope > [data-row=add]"),
            })
          }
        >
          {props.children(row)}
        </RowFrame>
      ))}
      {list.errors && <Alert tone="error" text={list.errors[0]!} />}
      {rows.length < props.maxRows && (
        <button
          type="submit"
          {...form.insert.getButtonProps({ name: list.name, defaultValue: { is_active: true } as never })}
          data-row="add"
          className="btn min-h-11 w-fit"
          onClick={() =>
            start({
              text: `${title(rows.length)} adicionad${ending}. Falta salvar.`,
              focus: (all) => rowAt(all, rows.length)?.querySelector<HTMLElement>("input:not([type=hidden])"),
            })
          }
        >
          <Plus className="size-4" aria-hidden="true" />
          {props.add}
        </button>
      )}
      <p role="status" className="sr-only">
        {announced}
      </p>
    </div>
  );
}
