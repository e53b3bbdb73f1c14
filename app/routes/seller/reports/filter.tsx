import { Form, useSubmit } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "#app/kit/paths.ts";
import { Plain } from "#app/ui/seller/scripted.tsx";

/** A report's filter; the period is preserved. `tab`: the report, unless it is the first. */
export function FilterForm(props: { tab?: string; range: string; className: string; children: ReactNode }) {
  return (
    <Form method="get" action={paths.reports()} noValidate preventScrollReset className={props.className}>
      {props.tab && <input type="hidden" name="tab" value={props.tab} />}
      <input type="hidden" name="range" value={props.range} />
      {props.children}
    </Form>
  );
}

/** One of its selects, applied on change. */
export function Choice(props: {
  label: string;
  name: string;
  value: string | number | null;
  width: string;
  children: ReactNode;
}) {
  const submit = useSubmit();
  return (
    <div className={props.width}>
      <select
        aria-label={props.label}
        key={props.value}
        name={props.name}
        defaultValue={props.value ?? ""}
        className="select h-11 w-full"
        onChange={(event) => submit(event.currentTarget.form, { preventScrollReset: true })}
      >
        {props.children}
      </select>
    </div>
  );
}

/**
 * The option of what a report is filtered by where the select does not list it, as a bookmark of a deleted coupon: otherwise
 * the select would say that there is no filter.
 */
export function UnlistedOption(props: {
  value: string | number | null;
  listed: (string | number)[];
  label: string;
}) {
  const { value, listed, label } = props;
  if (value === null || listed.includes(value)) return null;
  return <option value={value}>{label}</option>;
}

/** Applies the selects without a script. */
export function ApplyFilter() {
  return (
    <Plain>
      <button type="submit" className="btn min-h-11">
        Filtrar
      </button>
    </Plain>
  );
}
