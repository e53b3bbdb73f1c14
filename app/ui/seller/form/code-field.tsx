import { Scissors } from "lucide-react";
import type { ReactNode } from "react";
import { pick } from "#app/kit/pick.ts";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { useLive } from "#app/ui/seller/preview/live.ts";

/** A field for HTML or CSS, with a list of what will be removed and why, while typing and after saving. */
export function CodeField(props: {
  field: FieldMeta;
  label: string;
  help: ReactNode;
  rows: number;
  placeholder?: string;
}) {
  const { typed, removed } = useLive();
  const list = pick(removed, props.field.name) ?? [];
  return (
    <div>
      <Textarea
        {...props}
        spellCheck={false}
        autoCapitalize="none"
        className="[&_textarea]:font-mono [&_textarea]:text-base sm:[&_textarea]:text-xs"
      />
      <div role="status" aria-label={`${props.label}: o que não fica`}>
        {list.length > 0 && (
          <div className="mt-2 rounded-field border border-warning/60 bg-warning/10 px-3 py-2.5 text-xs">
            <p className="flex items-center gap-2 font-semibold">
              <Scissors className="size-3.5 shrink-0" aria-hidden="true" />
              {typed ? "Será retirado ao salvar:" : "Retirado:"}
            </p>
            <ul className="mt-1.5 flex flex-col gap-1">
              {list.map(({ what, why: reason }) => (
                <li key={what + reason} className="break-words">
                  <code className="break-all rounded bg-base-100 px-1 py-0.5">{what}</code> {reason}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </div>
  );
}
