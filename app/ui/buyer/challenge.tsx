import type { CardView } from "#app/ui/buyer/card-view.ts";
import { PaymentBanner } from "#app/ui/buyer/payment-banner.tsx";

/**
 * The page of the card's bank, where the buyer confirms the payment or refuses it. The bank's page works without our script; the
 * script only notices that it has ended.
 */
export function Challenge(view: CardView) {
  const { challengeUrl, message } = view;
  return (
    <>
      <CardBanner {...view} />
      <section className="card stack" aria-label="Confirmação no banco">
        <p>
          O banco do cartão quer saber se é você mesmo que está comprando. Nada foi cobrado ainda: o pagamento
          só é feito depois que você confirmar.
        </p>
        {message && (
          <p className="alert is-wait" role="alert">
            {message}
          </p>
        )}
        {challengeUrl ? (
          <>
            <iframe
              className="challenge"
              title="Página de confirmação do banco do cartão"
              src={challengeUrl}
              data-challenge=""
            />
            <p className="small">
              A página do banco não apareceu?{" "}
              <a href={challengeUrl} target="_blank" rel="noopener noreferrer">
                Abrir em outra aba
              </a>
            </p>
          </>
        ) : (
          <p className="alert is-wait" role="alert">
            Não conseguimos abrir a página do banco agora. Espere alguns segundos e tente de novo.
          </p>
        )}
        <form method="post" data-challenged="">
          <input type="hidden" name="over" />
          <button type="submit" name="intent" value="check" className="btn wide">
            <span>{challengeUrl ? "Já confirmei no banco" : "Tentar de novo"}</span>
          </button>
        </form>
        <p className="fine">
          Não quer confirmar? Recuse a compra na página do banco, ou espere alguns minutos até o prazo dela
          acabar. Depois disso você pode usar outro cartão ou pagar com PIX.
        </p>
      </section>
    </>
  );
}

/** Follows the payment of a card that was sent. */
export function CardBanner({ links, paymentSummary }: Pick<CardView, "links" | "paymentSummary">) {
  const { pix } = links;
  return (
    <PaymentBanner
      state="waiting"
      paymentSummary={paymentSummary}
      links={{ ...links, failed: pix, back: pix, card: null }}
      expiresAt={null}
    />
  );
}
