import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/** The box around one row of a list: its number, up, down, remove. */
export function RowFrame<T>(props: {
  form: Pick<FormMetadata, "reorder" | "remove">;
  list: FieldMetadata<T[]>;
  at: number;
  count: number;
  title: string;
  onMove: (to: number) => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { form, list, at, count, title } = props;
  const hydrated = useHydrated();
  const move = (name: "up" | "down", to: number) => {
    const isOff = to < 0 || to >= count;
    return {
      type: "submit" as const,
      ...form.reorder.getButtonProps({ name: list.name, from: at, to: isOff ? at : to } as never),
      "data-row": name,
      // At the end of the list a button that was disabled would lose the focus.
      disabled: isOff && !hydrated,
      "aria-disabled": isOff || undefined,
      onClick: (event: MouseEvent) => (isOff ? event.preventDefault() : props.onMove(to)),
      className: `${ICON} ${isOff ? "opacity-30" : ""}`,
    };
  };
  return (
    <fieldset className="min-w-0 rounded-box border border-base-300">
      <legend className="sr-only">{title}</legend>
      <div className="flex items-center gap-1 border-base-300 border-b bg-base-200/60 py-1 pr-1 pl-4">
        <p className="mr-auto font-medium text-sm" aria-hidden="true">
          {title}
        </p>
        <button {...move("up", at - 1)} title="Mover para cima">
          <ArrowUp className="size-4" aria-hidden="true" />
          <span className="sr-only">Mover {title} para cima</span>
        </button>
        <button {...move("down", at + 1)} title="Mover para baixo">
          <ArrowDown className="size-4" aria-hidden="true" />
          <span className="sr-only">Mover {title} para baixo</span>
        </button>
        <button
          type="submit"
          {...form.remove.getButtonProps({ name: list.name, index: at } as never)}
          data-row="remove"
          onClick={props.onRemove}
          className={`${ICON} text-error`}
          title="Remover"
        >
          <Trash2 className="size-4" aria-hidden="true" />
          <span className="sr-only">Remover {title}</span>
        </button>
      </div>
      <div className="flex flex-col gap-4 p-4">{props.children}</div>
    </fieldset>
  );
}

const ICON = "btn btn-ghost btn-square size-11";
