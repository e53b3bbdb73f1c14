import type { ReactNode } from "react";
import { formatPercent } from "#app/domain/reports/figures/percent.ts";
import { methodLabel } from "#app/domain/reports/labels.ts";
import { formatMoney } from "#app/kit/money.ts";
import type { SalesReport } from "#app/routes/seller/reports/sales.server.ts";
import { Card } from "#app/ui/seller/card.tsx";

/** The columns beside sales and revenue, which a phone shows as labels. */
const OF_PRODUCT = ["Com order bump", "Upsell"];
const OF_COUPON = ["Pedidos", "Desconto"];

/** The period's completed sales by product, campaign, payment method, coupon and offer. */
export function Breakdowns({ report }: { report: SalesReport }) {
  const { byProduct, byCampaign, byMethod, byCoupon, byOffer, stats } = report;
  const share = (cents: number) => (stats.revenueCents === 0 ? 0 : cents / stats.revenueCents);
  return (
    <>
      <Card
        title="Por produto"
        text="Com order bump: vendas do produto que levaram ao menos um. Upsell: ofertas pagas depois da compra, por venda do produto."
        flush
      >
        <Table name="Produto" extra={OF_PRODUCT}>
          {byProduct.rows.map((row) => {
            const first = row.sold - row.upsells;
            return (
              <Row
                {...row}
                key={row.key}
                share={share(row.revenueCents)}
                extra={[
                  ["Com order bump", rate(row.withBump, first)],
                  ["Upsell", rate(row.upsells, first)],
                ]}
              />
            );
          })}
          <Others
            others={byProduct.others}
            nouns={["produto", "produtos"]}
            share={share}
            labels={OF_PRODUCT}
          />
        </Table>
      </Card>
      <div className="grid items-start gap-6 xl:grid-cols-[3fr_2fr]">
        <Card title="Por campanha" text="Origem, mídia e campanha com que o comprador chegou." flush>
          <Table name="Campanha">
            {byCampaign.rows.map((row) => (
              <Row
                {...row}
                key={row.key}
                name={
                  row.path.some(Boolean) ? row.path.map((part) => part ?? "–").join(" / ") : "Sem campanha"
                }
                share={share(row.revenueCents)}
              />
            ))}
            <Others others={byCampaign.others} nouns={["campanha", "campanhas"]} share={share} />
          </Table>
        </Card>
        <Card title="Por método de pagamento" flush>
          <Table name="Método">
            {byMethod.rows.map((row) => (
              <Row {...row} key={row.key} name={methodLabel(row.key)} share={share(row.revenueCents)} />
            ))}
          </Table>
        </Card>
      </div>
      {byCoupon.rows.some(({ key }) => key !== "") && (
        <Card
          title="Por cupom"
          text="Pedidos: feitos no período, pagos ou não. Desconto: o que o cupom tirou das vendas. Receita: o que foi pago."
          flush
        >
          <Table name="Cupom" extra={OF_COUPON}>
            {byCoupon.rows.map((row) => (
              <Row
                {...row}
                key={row.key}
                name={row.key || "Sem cupom"}
                share={share(row.revenueCents)}
                extra={[
                  ["Pedidos", row.created.toLocaleString("pt-BR")],
                  ["Desconto", row.key ? formatMoney(row.discountCents) : "–"],
                ]}
              />
            ))}
            <Others others={byCoupon.others} nouns={["cupom", "cupons"]} share={share} labels={OF_COUPON} />
          </Table>
        </Card>
      )}
      {byOffer.rows.some(({ key }) => key !== "") && (
        <Card title="Por oferta" text="Preço do produto: também os upsells, que são vendas à parte." flush>
          <Table name="Oferta">
            {byOffer.rows.map((row) => (
              <Row
                {...row}
                key={row.key}
                name={row.name || "Preço do produto"}
                share={share(row.revenueCents)}
              />
            ))}
            <Others others={byOffer.others} nouns={["oferta", "ofertas"]} share={share} />
          </Table>
        </Card>
      )}
    </>
  );
}

function rate(part: number, whole: number): string {
  if (whole === 0) return "–";
  return formatPercent((part / whole) * 100);
}

function Table(props: { name: string; extra?: string[]; children: ReactNode }) {
  return (
    <table className="block w-full text-sm sm:table">
      <thead className="hidden sm:table-header-group">
        <tr className="border-base-300 border-b text-base-content/70 text-xs">
          <th scope="col" className="py-2 pr-3 pl-5 text-left font-medium">
            {props.name}
          </th>
          {["Vendas", ...(props.extra ?? []), "Receita"].map((label) => (
            <th key={label} scope="col" className="px-3 py-2 text-right font-medium last:pr-5">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-base-300 sm:table-row-group">{props.children}</tbody>
    </table>
  );
}

function Row(props: {
  name: string;
  sold: number;
  revenueCents: number;
  share: number;
  extra?: [label: string, value: string][];
}) {
  return (
    <tr className="flex flex-wrap gap-x-4 gap-y-0.5 px-5 py-3 sm:table-row sm:p-0">
      <th
        scope="row"
        className="max-sm:wrap-anywhere min-w-0 grow basis-[calc(100%-8rem)] break-words text-left font-medium sm:py-2.5 sm:pr-3 sm:pl-5"
      >
        {props.name}
        <span className="mt-1.5 block h-1 overflow-hidden rounded-full bg-base-200" aria-hidden="true">
          <span className="block h-full bg-primary/60" style={{ width: `${props.share * 100}%` }} />
        </span>
      </th>
      <td className="order-3 text-base-content/70 text-xs sm:px-3 sm:text-sm sm:py-2.5 sm:text-right sm:align-top sm:text-base-content">
        {props.sold.toLocaleString("pt-BR")}
        <span className="sm:hidden"> {props.sold === 1 ? "venda" : "vendas"}</span>
      </td>
      {(props.extra ?? []).map(([label, value]) => (
        <td
          key={label}
          className="order-4 text-base-content/70 text-xs sm:px-3 sm:py-2.5 sm:text-right sm:align-top sm:text-base-content sm:text-sm"
        >
          <span className="sm:hidden">{label}: </span>
          {value}
        </td>
      ))}
      <td className="order-2 min-w-28 whitespace-nowrap text-right font-medium sm:min-w-0 sm:py-2.5 sm:pr-5 sm:pl-3 sm:align-top">
        {formatMoney(props.revenueCents)}
      </td>
    </tr>
  );
}

function Others(props: {
  others: SalesReport["byProduct"]["others"];
  nouns: [one: string, many: string];
  share: (cents: number) => number;
  labels?: string[];
}) {
  const { count, sold, revenueCents } = props.others;
  const [one, many] = props.nouns;
  if (count === 0) return null;
  return (
    <Row
      name={`Outros (${count.toLocaleString("pt-BR")} ${count === 1 ? one : many})`}
      sold={sold}
      revenueCents={revenueCents}
      share={props.share(revenueCents)}
      extra={(props.labels ?? []).map((label) => [label, "–"])}
    />
  );
}
