import { useSubmit } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Choices } from "#app/domain/reports/list-choices.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Form } from "#app/ui/seller/form/form.tsx";
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

type Value = string | number;

/**
 * One of its selects, applied on change.
 * @param all the text of no filter, where the select may have none
 * @param unlisted the text of a chosen value that is no option, as a bookmark of a deleted coupon has: without it the select
 * would say that there is no filter
 */
export function Choice(props: {
  label: string;
  name: string;
  value: Value | null;
  width: string;
  options: readonly (readonly [value: Value, text: string])[];
  all?: string;
  unlisted?: string;
}) {
  const { value, options, all, unlisted } = props;
  const submit = useSubmit();
  const isUnlisted = value !== null && !options.some(([listed]) => listed === value);
  return (
    <div className={props.width}>
      <select
        aria-label={props.label}
        key={value}
        name={props.name}
        defaultValue={value ?? ""}
        className="select h-11 w-full"
        onChange={(event) => submit(event.currentTarget.form, { preventScrollReset: true })}
      >
        {all && <option value="">{all}</option>}
        {unlisted && isUnlisted && <option value={value}>{unlisted}</option>}
        {options.map(([listed, text]) => (
          <option key={listed} value={listed}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

type Chosen<Name extends string> = Record<Name, Value | null>;

export function ProductChoice(props: {
  report: Pick<Choices, "products"> & Chosen<"productId">;
  width: string;
}) {
  const { products, productId } = props.report;
  return (
    <Choice
      {...{ label: "Produto", name: "product", value: productId, width: props.width }}
      options={products.map(({ id, name }) => [id, name])}
      all="Todos os produtos"
      unlisted="Produto fora da lista"
    />
  );
}

/** The coupon and the offer, each where the seller has some or the report is filtered by one. */
export function DiscountChoices(props: {
  report: Pick<Choices, "coupons" | "offers"> & Chosen<"couponId" | "offerId">;
  widths: { coupon: string; offer: string };
}) {
  const { coupons, offers, couponId, offerId } = props.report;
  return (
    <>
      {(coupons.length > 0 || couponId) && (
        <Choice
          {...{ label: "Cupom", name: "coupon", value: couponId, width: props.widths.coupon }}
          options={coupons.map(({ id, code }) => [id, code])}
          all="Com e sem cupom"
          unlisted="Cupom fora da lista"
        />
      )}
      {(offers.length > 0 || offerId) && (
        <Choice
          {...{ label: "Oferta", name: "offer", value: offerId, width: props.widths.offer }}
          options={offers.map(({ id, name, productName }) => [id, `${productName}: ${name}`])}
          all="Todas as ofertas"
          unlisted="Oferta fora da lista"
        />
      )}
    </>
  );
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
