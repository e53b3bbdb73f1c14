import type { FieldMetadata, FormMetadata } from "@conform-to/react";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";

/** The box around one row of a list: its number, up, down, remove. The buttons also work without JavaScript. */
export function RowFrame<T>(props: {
  form: Pick<FormMetadata, "reorder" | "remove">;
  list: FieldMetadata<T[]>;
  at: number;
  count: number;
  title: string;
  children: ReactNode;
}) {
  const { form, list, at, count, title } = props;
  const move = (to: number) => form.reorder.getButtonProps({ name: list.name, from: at, to } as never);
  return (
    <fieldset className="min-w-0 rounded-box border border-base-300">
      <legend className="sr-only">{title}</legend>
      <div className="flex items-center gap-1 border-base-300 border-b bg-base-200/60 py-1 pr-1 pl-4">
        <p className="mr-auto font-medium text-sm" aria-hidden="true">
          {title}
        </p>
        {at > 0 && (
          <button type="submit" {...move(at - 1)} className={ICON} title="Mover para cima">
            <ArrowUp className="size-4" aria-hidden="true" />
            <span className="sr-only">Mover {title} para cima</span>
          </button>
        )}
        {at < count - 1 && (
          <button type="submit" {...move(at + 1)} className={ICON} title="Mover para baixo">
            <ArrowDown className="size-4" aria-hidden="true" />
            <span className="sr-only">Mover {title} para baixo</span>
          </button>
        )}
        <button
          type="submit"
          {...form.remove.getButtonProps({ name: list.name, index: at } as never)}
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
