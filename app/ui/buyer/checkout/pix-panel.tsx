import { Check, CreditCard } from "lucide-react";
import type { PaymentChoice } from "#app/domain/pricing/quote.ts";

/** The logo of PIX. */
export function PixMark({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="pix-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d="M6.2 6.1c.9 0 1.8.4 2.4 1l2.9 2.9c.3.3.7.3 1 0L15.4 7.100c.6-.6 1.5-1 2.4-1h.6l-4-4a3.4 3.4 0 0 0-4.8 0l-4 4h.6zM17.8 17.900c-.9 0-1.8-.4-2.4-1L12.5 14c-.3-.3-.7-.3-1 0l-2.9 2.900c-.6.6-1.5 1-2.4 1h-.6l4 4a3.4 3.4 0 0 0 4.8 0l4-4h-.6zM21.9 9.600l-2.4-2.400h-1.700c-.6 0-1.1.2-1.5.6l-2.9 2.900c-.8.8-2 .8-2.8 0L7.7 7.800c-.4-.4-.9-.6-1.5-.6H4.500L2.1 9.600a3.4 3.4 0 0 0 0 4.800l2.4 2.400h1.700c.6 0 1.1-.2 1.5-.6l2.9-2.900c.8-.8 2-.8 2.8 0l2.9 2.900c.4.4.9.6 1.5.6h1.700l2.4-2.400a3.4 3.4 0 0 0 0-4.800z" />
    </svg>
  );
}

const ADVANTAGES = [
  "Aprovação em segundos, a qualquer hora",
  "Pague com o app do seu banco",
  "Nenhum dado de cartão é pedido",
];

/** The payment methods, where there is a choice. The card is typed on the next page. */
export function PaymentMethods({ isCard, pixPercent }: PaymentChoice) {
  return (
    <fieldset className="card methods of-payment">
      <legend>
        <h2>Como você quer pagar?</h2>
      </legend>
      <label className="row">
        <input type="radio" name="payment_method" value="pix" defaultChecked={!isCard} />
        <PixMark />
        <span>
          <b>PIX</b>{" "}
          <span className="fine">
            {pixPercent > 0 ? `${pixPercent}% de desconto, aprovação em segundos` : "Aprovação em segundos"}
          </span>
        </span>
      </label>
      <label className="row">
        <input type="radio" name="payment_method" value="card" defaultChecked={isCard} />
        <CreditCard aria-hidden size={24} />
        <span>
          <b>Cartão de crédito</b> <span className="fine">À vista ou parcelado</span>
        </span>
      </label>
    </fieldset>
  );
}

/** The payment method. */
export function PixPanel({ enabled }: { enabled: boolean }) {
  return (
    <section className="card pix of-payment" aria-labelledby="pagamento">
      <div className="row">
        <PixMark />
        <h2 id="pagamento">Pagamento por PIX</h2>
      </div>
      {enabled ? (
        <ul>
          {ADVANTAGES.map((text) => (
            <li className="row" key={text}>
              <Check aria-hidden size={18} /> {text}
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">Este vendedor não está recebendo pagamentos no momento.</p>
      )}
    </section>
  );
}
