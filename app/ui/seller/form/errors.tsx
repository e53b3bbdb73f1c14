import { useEffect, useRef } from "react";
import { Alert } from "#app/ui/seller/alert.tsx";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";
import { useIsLatestForm } from "#app/ui/seller/form/restored-form.tsx";

/**
 * A form's errors, above it: general ones and links to the fields with errors. Takes the focus when it appears. `fields`
 * pairs each field with its label.
 */
export function FormErrors(props: { errors: string[] | undefined; fields?: [FieldMeta, string][] }) {
  const box = useRef<HTMLDivElement>(null);
  const wrong = (props.fields ?? []).filter(([field]) => field.errors?.length);
  const errorKey = JSON.stringify([props.errors ?? [], wrong.map(([field]) => field.errors)]);
  const isLatest = useIsLatestForm();
  const isEmpty = !isLatest || (!props.errors?.length && wrong.length === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other errors take the focus again, though the box is the same.
  useEffect(() => {
    if (!isEmpty) box.current?.focus();
  }, [errorKey, isEmpty]);
  if (isEmpty) return null;
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <Alert tone="error">
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
      </Alert>
    </div>
  );
}

/** An error with its field's name, unless it contains the name. */
function named(error: string, label: string): string {
  return error.toLowerCase().includes(label.toLowerCase()) ? error : `${label}: ${error}`;
}
