import { ApplyFilter, Choice, FilterForm, UnlistedOption } from "#app/routes/seller/reports/filter.tsx";
import type { FunnelReport } from "#app/routes/seller/reports/funnel/funnel.server.ts";

const WIDTH = "min-w-0 lg:w-60";

/** The funnel's filter: product, campaign, device, coupon, offer. */
export function FunnelFilter({ report }: { report: FunnelReport }) {
  const { products, campaigns, coupons, offers } = report;
  return (
    <FilterForm tab="funnel" range={report.range} className="grid gap-2 sm:grid-cols-3 lg:flex lg:flex-wrap">
      <Choice label="Produto" name="product" value={report.productId} width={WIDTH}>
        <option value="">Todos os produtos</option>
        <UnlistedOption
          value={report.productId}
          listed={products.map(({ id }) => id)}
          label="Produto fora da lista"
        />
        {products.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Campanha" name="campaign" value={report.campaign} width={WIDTH}>
        <option value="">Todas as campanhas</option>
        <UnlistedOption
          value={report.campaign}
          listed={campaigns.map(({ value }) => value)}
          label="Campanha fora da lista"
        />
        {campaigns.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Aparelho" name="device" value={report.device} width={WIDTH}>
        <option value="">Todos os aparelhos</option>
        <option value="phone">Celular ou tablet</option>
        <option value="computer">Computador</option>
      </Choice>
      {(coupons.length > 0 || report.couponId) && (
        <Choice label="Cupom" name="coupon" value={report.couponId} width={WIDTH}>
          <option value="">Com e sem cupom</option>
          <UnlistedOption
            value={report.couponId}
            listed={coupons.map(({ id }) => id)}
            label="Cupom fora da lista"
          />
          {coupons.map(({ id, code }) => (
            <option key={id} value={id}>
              {code}
            </option>
          ))}
        </Choice>
      )}
      {(offers.length > 0 || report.offerId) && (
        <Choice label="Oferta" name="offer" value={report.offerId} width={WIDTH}>
          <option value="">Todas as ofertas</option>
          <UnlistedOption
            value={report.offerId}
            listed={offers.map(({ id }) => id)}
            label="Oferta fora da lista"
          />
          {offers.map(({ id, name, productName }) => (
            <option key={id} value={id}>
              {`${productName}: ${name}`}
            </option>
          ))}
        </Choice>
      )}
      <ApplyFilter />
    </FilterForm>
  );
}
