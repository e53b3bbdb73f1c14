import { Link } from "@remix-run/react";
import { Send } from "lucide-react";
import type { TestField } from "#app/domain/delivery/form-card.ts";
import type { Family, ListedKind } from "#app/domain/delivery/kind.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { Card } from "#app/ui/seller/card.tsx";
import type { ItemChoice } from "#app/ui/seller/destination/classes-card.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** The values of a test that was refused, and the field that is wrong. */
export type TypedTest = { values: Record<string, string>; field: string | null; message: string };

type Tested = {
  id: string;
  events: { id: string; label: string }[];
  test: Omit<ListedKind["test"], "done">;
  /** The fields of the last test. */
  values: Record<string, string>;
};

/** The test of a destination. */
export function DestinationTest(props: {
  family: Family;
  destination: Tested;
  items: ItemChoice[];
  typed: TypedTest | null;
}) {
  const { family, destination, items, typed } = props;
  const { id, events, test } = destination;
  const values = typed?.values ?? destination.values;
  return (
    <Card title="Testar" text={test.text}>
      <Form method="post" noValidate className="flex min-w-0 flex-wrap items-end gap-3">
        {test.fields.map((field) => (
          <TestControl key={field.type} {...{ field, values, events, items, typed }} />
        ))}
        <SubmitButton intent="test" pending={test.pending} className="border-base-300">
          <Send className="size-4" aria-hidden="true" />
          {test.submit}
        </SubmitButton>
      </Form>
      {test.more && (
        <Link
          to={paths.destination(family, id, `tab=${test.more.tab}`)}
          className="link mt-2 inline-flex min-h-11 items-center text-sm"
        >
          {test.more.label}
        </Link>
      )}
    </Card>
  );
}

const WRONG = "teste-errado";

type Testing = {
  field: TestField;
  values: Record<string, string>;
  events: Tested["events"];
  items: ItemChoice[];
  typed: TypedTest | null;
};

function TestControl(props: Testing) {
  const { field, values, typed } = props;
  if (field.type === "event")
    return <Select label="Evento" name="event" options={props.events.map(({ id, label }) => [id, label])} />;
  if (field.type === "item") {
    const options = props.items.map(({ item, name }): [string, string] => [item, name]);
    return (
      <Select label={field.label} name={field.name} options={options} value={pick(values, field.name)} />
    );
  }
  const isEmail = field.type === "email";
  const wrong = isEmail && typed?.field === field.name ? typed.message : undefined;
  return (
    <label className="min-w-40 flex-1">
      <span className="mb-1.5 block font-medium text-sm">{field.label}</span>
      <input
        {...(isEmail ? { type: "email" } : {})}
        name={field.name}
        required
        autoComplete={isEmail ? "email" : "off"}
        spellCheck={false}
        maxLength={isEmail ? 254 : 500}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? WRONG : undefined}
        defaultValue={pick(values, field.name)}
        className={`input h-11 w-full text-base sm:text-sm ${wrong ? "input-error" : ""}`}
      />
      {wrong && (
        <span id={WRONG} role="alert" className="mt-1.5 block text-error text-sm">
          {wrong}
        </span>
      )}
    </label>
  );
}

function Select(props: {
  label: string;
  name: string;
  options: [string, string][];
  value?: string | undefined;
}) {
  return (
    <label className="min-w-40 flex-1">
      <span className="mb-1.5 block font-medium text-sm">{props.label}</span>
      <select
        name={props.name}
        {...(props.value === undefined ? {} : { defaultValue: props.value })}
        className="select h-11 w-full text-base sm:text-sm"
      >
        {props.options.map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
