import type { PurchaseKeys } from "#app/domain/access/find-order-keys.server.ts";
import type { AcceptedUpsell } from "#app/domain/access/list-accepted-upsells.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

type Props = { acceptedUpsells: AcceptedUpsell[]; keys: PurchaseKeys };

/** Upsells accepted after it; each has a page of its own. What is not paid yet was not bought. */
export function AcceptedUpsells({ acceptedUpsells, keys }: Props) {
  const {
    paid = [],
    confirmed = [],
    unpaid = [],
  } = Object.groupBy(acceptedUpsells, ({ isPaid, isBeingConfirmed }) =>
    isPaid ? "paid" : isBeingConfirmed ? "confirmed" : "unpaid",
  );
  return (
    <>
      <UpsellList id="levou" title="Você também levou" upsells={paid} keys={keys} />
      <UpsellList id="confirmando" title="Pagamento em confirmação" upsells={confirmed} keys={keys} />
      <UpsellList id="falta-pagar" title="Falta pagar" upsells={unpaid} keys={keys} />
    </>
  );
}

function UpsellList(props: { id: string; title: string; upsells: AcceptedUpsell[]; keys: PurchaseKeys }) {
  if (props.upsells.length === 0) return null;
  return (
    <section className="card" aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      <ul className="lines">
        {props.upsells.map(({ saleId, name, amountCents, isPaid, isBeingConfirmed }) => (
          <li className="spread" key={saleId}>
            <span>
              <a href={(isPaid ? paths.thankYou : paths.pix)(saleId, props.keys.get(saleId))}>{name}</a>
              {!isPaid && !isBeingConfirmed && <span className="fine"> aguardando pagamento</span>}
            </span>
            <span className="nowrap">{formatMoney(amountCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
