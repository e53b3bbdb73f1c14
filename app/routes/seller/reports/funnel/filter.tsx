import {
  ApplyFilter,
  Choice,
  DiscountChoices,
  FilterForm,
  ProductChoice,
} from "#app/routes/seller/reports/filter.tsx";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";

const WIDTH = "min-w-0 lg:w-60";
const DEVICES = [
  ["phone", "Celular ou tablet"],
  ["computer", "Computador"],
] as const;

/** The funnel's filter: product, campaign, device, coupon, offer. */
export function FunnelFilter({ report }: { report: FunnelReport }) {
  return (
    <FilterForm tab="funnel" range={report.range} className="grid gap-2 sm:grid-cols-3 lg:flex lg:flex-wrap">
      <ProductChoice report={report} width={WIDTH} />
      <Choice
        {...{ label: "Campanha", name: "campaign", value: report.campaign, width: WIDTH }}
        options={report.campaigns.map(({ value, name }) => [value, name])}
        all="Todas as campanhas"
        unlisted="Campanha fora da lista"
      />
      <Choice
        {...{ label: "Aparelho", name: "device", value: report.device, width: WIDTH }}
        options={DEVICES}
        all="Todos os aparelhos"
      />
      <DiscountChoices report={report} widths={{ coupon: WIDTH, offer: WIDTH }} />
      <ApplyFilter />
    </FilterForm>
  );
}
