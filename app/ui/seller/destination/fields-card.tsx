import type { FormCard, FormField } from "#app/domain/delivery/form-card.ts";
import { pick } from "#app/kit/pick.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { PasswordField } from "#app/ui/seller/form/password-field.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

/** A card of fields, and its button. */
export function FieldsCard(props: {
  card: Extract<FormCard, { type: "fields" }>;
  fields: Record<string, FieldMeta>;
}) {
  const { fields } = props;
  const { title, text, button } = props.card;
  return (
    <Card title={title} text={text}>
      <div className="flex flex-col gap-5">
        {props.card.fields.map((spec) => (
          <Control key={spec.name} spec={spec} field={fields[spec.name]!} />
        ))}
        {button && (
          <div className="flex flex-wrap items-center gap-3">
            <SubmitButton intent={button.intent} pending={button.pending} className="border-base-300">
              {button.label}
            </SubmitButton>
            <p className="text-base-content/70 text-xs">{button.text}</p>
          </div>
        )}
      </div>
    </Card>
  );
}

function Control({ spec, field }: { spec: FormField; field: FieldMeta }) {
  const { label, help } = spec;
  switch (spec.type) {
    case "toggle":
      return <Toggle field={field} label={label} help={help} />;
    case "choice":
      return <Choice field={field} label={label} options={spec.options} />;
    case "secret": {
      const secret = (
        <PasswordField
          {...{ field, label, help }}
          autoComplete="off"
          {...(spec.maxLength ? { maxLength: spec.maxLength } : {})}
        />
      );
      if (!spec.shownFor) return secret;
      return (
        <div className={`hidden ${spec.shownFor.map((form) => pick(SHOWN_FOR, form)).join(" ")}`}>
          {secret}
        </div>
      );
    }
    default: {
      const { placeholder, suffix, maxLength, isRequired, isCode } = spec;
      return (
        <Field
          {...{ field, label, help }}
          {...(spec.type === "url" ? ({ type: "url", inputMode: "url" } as const) : {})}
          {...(placeholder ? { placeholder } : {})}
          {...(maxLength ? { maxLength } : {})}
          {...(isCode ? { autoCapitalize: "none", spellCheck: false } : {})}
          {...(suffix ? { suffix: <span className="text-base-content/70">{suffix}</span> } : {})}
          {...(isCode || spec.type === "url" ? { autoComplete: "off" } : {})}
          required={isRequired}
        />
      );
    }
  }
}

/** Written out, so that the style sheet has them. */
const SHOWN_FOR: Record<string, string> = {
  kiwify: "group-has-[input[name=form][value=kiwify]:checked]:block",
  hotmart: "group-has-[input[name=form][value=hotmart]:checked]:block",
};

function Choice(props: {
  field: FieldMeta;
  label: string;
  options: { value: string; label: string; text: string }[];
}) {
  const { field } = props;
  return (
    <fieldset id={field.id}>
      <legend className="mb-1.5 font-medium text-sm">{props.label}</legend>
      <div className="flex flex-col gap-2">
        {props.options.map(({ value, label, text }) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-field border border-base-content/25 px-3 py-2.5 text-sm has-checked:border-primary has-checked:bg-primary/10"
          >
            <input
              type="radio"
              name={field.name}
              value={value}
              defaultChecked={field.initialValue === value}
              className="radio radio-primary radio-sm mt-0.5 shrink-0"
            />
            <span className="min-w-0">
              <span className="block font-medium">{label}</span>
              <span className="block text-base-content/70 text-xs">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
