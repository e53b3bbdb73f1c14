import { FieldError, type FieldMeta } from "#app/ui/seller/form/field.tsx";

/** A choice between a few designs, side by side. */
export function ChoiceField(props: {
  field: FieldMeta;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
}) {
  const { field } = props;
  return (
    <fieldset
      id={field.id}
      className="@container"
      aria-describedby={field.errors ? field.errorId : undefined}
    >
      <legend className="mb-1.5 font-medium text-sm">{props.label}</legend>
      <div className={`grid gap-2 ${props.choices.length === 2 ? "@xs:grid-cols-2" : "@xs:grid-cols-3"}`}>
        {props.choices.map(([value, label]) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center gap-2 whitespace-nowrap rounded-field border border-base-content/25 px-2.5 text-sm has-checked:border-primary has-checked:bg-primary/10 has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={field.name}
              value={value}
              defaultChecked={field.initialValue === value}
              className="radio radio-primary radio-sm"
            />
            {label}
          </label>
        ))}
      </div>
      <FieldError field={field} />
    </fieldset>
  );
}
