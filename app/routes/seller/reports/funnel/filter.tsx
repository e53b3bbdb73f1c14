import { Form, useSubmit } from "@remix-run/react";
import { useRef } from "react";
import { paths } from "#app/kit/paths.ts";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/** By what the funnel is narrowed: product, campaign, device. */
export function FunnelFilter({ report }: { report: FunnelReport }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const hydrated = useHydrated();
  const apply = () => submit(form.current, { preventScrollReset: true });
  const { products, campaigns } = report;
  return (
    <Form
      ref={form}
      method="get"
      action={paths.reports()}
      preventScrollReset
      className="grid gap-2 sm:grid-cols-3 lg:flex lg:flex-wrap"
    >
      <input type="hidden" name="tab" value="funnel" />
      <input type="hidden" name="range" value={report.range} />
      <Choice label="Produto" name="product" value={report.productId ?? ""} onChange={apply}>
        <option value="">Todos os produtos</option>
        {products.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Campanha" name="campaign" value={report.campaign ?? ""} onChange={apply}>
        <option value="">Todas as campanhas</option>
        {campaigns.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Aparelho" name="device" value={report.device ?? ""} onChange={apply}>
        <option value="">Todos os aparelhos</option>
        <option value="phone">Celular ou tablet</option>
        <option value="computer">Computador</option>
      </Choice>
      {!hydrated && (
        <button type="submit" className="btn min-h-11">
          Filtrar
        </button>
      )}
    </Form>
  );
}

function Choice(props: {
  label: string;
  name: string;
  value: string | number;
  onChange: () => void;
  children: React.ReactNode;
}) {
  return (
    <div className="min-w-0 lg:w-60">
      <select
        aria-label={props.label}
        key={props.value}
        name={props.name}
        defaultValue={props.value}
        className="select h-11 w-full"
        onChange={props.onChange}
      >
        {props.children}
      </select>
    </div>
  );
}
