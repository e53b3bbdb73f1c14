import { useEffect, useRef } from "react";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";
import { useSpokenTo } from "#app/ui/seller/form/kept-form.tsx";
import { Notice } from "#app/ui/seller/notice.tsx";

/**
 * What is wrong with a form, above it: its own errors and links to the fields that have one. Takes the focus when it
 * appears. `fields` pairs each field with its label.
 */
export function FormErrors(props: { errors: string[] | undefined; fields?: [FieldMeta, string][] }) {
  const box = useRef<HTMLDivElement>(null);
  const wrong = (props.fields ?? []).filter(([field]) => field.errors?.length);
  const said = JSON.stringify([props.errors ?? [], wrong.map(([field]) => field.errors)]);
  const spokenTo = useSpokenTo();
  const empty = !spokenTo || (!props.errors?.length && wrong.length === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other errors are news, though the box is the same.
  useEffect(() => {
    if (!empty) box.current?.focus();
  }, [said, empty]);
  if (empty) return null;
  return (
    <div ref={box} tabIndex={-1} className="scroll-mt-24 outline-none">
      <Notice tone="error">
        {props.errors?.map((error) => (
          <p key={error}>{error}</p>
        ))}
        {wrong.length > 0 && (
          <ul className="flex flex-col gap-1">
            {wrong.map(([field, label]) => (
              <li key={field.id}>
                <a href={`#${field.id}`} className="link">
                  {named(field.errors![0]!, label)}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

/** An error under its field's name, unless it says the name itself. */
function named(error: string, label: string): string {
  return error.toLowerCase().includes(label.toLowerCase()) ? error : `${label}: ${error}`;
}
