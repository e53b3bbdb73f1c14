import { CreditCard, Lock } from "lucide-react";
import { formatMoney } from "#app/kit/money.ts";
import type { CardView } from "#app/ui/buyer/card-view.ts";
import { CardBanner, Challenge } from "#app/ui/buyer/challenge.tsx";
import { PixMark } from "#app/ui/buyer/checkout/pix-panel.tsx";
import { ErrorSummary, Field, OtherOrderLink } from "#app/ui/buyer/field.tsx";
import { PaymentNotes } from "#app/ui/buyer/payment/notes.tsx";
import { OrderBox } from "#app/ui/buyer/payment/order-box.tsx";

const TITLES: Record<CardView["state"], string> = {
  form: "Pague com cartão",
  verifying: "Estamos confirmando o pagamento",
  challenged: "Confirme a compra no banco do cartão",
  "in-review": "O seu pagamento está em análise",
  closed: "Este pedido não pode ser pago com cartão",
};

/** Where an order is paid with a card. It has nothing of the seller's own HTML, CSS or pixels. */
export function CardPage(view: CardView) {
  const Body = view.state === "form" ? CardForm : view.state === "challenged" ? Challenge : Waiting;
  return (
    <main className="page narrow">
      <header className="started">
        <h1>{TITLES[view.state]}</h1>
      </header>
      <PaymentNotes notes={view.notes} />
      <Body {...view} />
      <OrderBox {...view} mayStillBePaid={view.state !== "closed"} />
      {view.offersPix && <PayWithPix {...view} />}
      {(view.state === "form" || view.state === "closed") && <Back {...view} />}
    </main>
  );
}

/** An order that takes no card any more, as one whose coupon ended, is made anew. */
function Back({ isForSale, isBumpGone, isAnonymized, parentSaleId, links }: CardView) {
  if (!isForSale && !parentSaleId) return null;
  const again = isAnonymized || isBumpGone ? "Fazer um novo pedido" : "Voltar ao formulário";
  return (
    <p className="small">
      <a href={links.back}>{parentSaleId ? "Voltar à minha compra" : again}</a>
    </p>
  );
}

function CardForm(view: CardView) {
  const { fields, values, errors } = view;
  return (
    <form
      method="post"
      noValidate
      className="card stack"
      aria-label="Cartão de crédito"
      data-card=""
      data-sdk={fields?.sdkUrl}
      data-sdk-name={fields?.sdkName}
      data-device={fields?.deviceUrl}
      data-device-name={fields?.deviceName}
      data-public-key={fields?.publicKey}
      data-token-errors={JSON.stringify(fields?.tokenErrors)}
      data-instalments={view.links.instalments}
      data-challenge-required={view.isChallengeRequired || undefined}
    >
      <div className="spread">
        <div className="row">
          <CreditCard aria-hidden size={24} />
          <h2>Cartão de crédito</h2>
        </div>
        <b className="sum">{formatMoney(view.amountCents)}</b>
      </div>
      <ErrorSummary errors={errors} alert={view.message}>
        <OtherOrderLink saleId={view.heldBySaleId} />
      </ErrorSummary>
      <noscript>
        <p className="alert is-wait">
          Para pagar com cartão o navegador precisa de JavaScript, que está desligado. Com PIX não precisa.
        </p>
      </noscript>
      <div className="fields scripted">
        <Hosted id="numero-cartao" label="Número do cartão" />
        <div className="pair">
          <Hosted id="validade-cartao" label="Validade" />
          <Hosted id="codigo-cartao" label="Código (CVV)" />
        </div>
        <Field
          name="holder_name"
          label="Nome impresso no cartão"
          autoComplete="cc-name"
          autoCapitalize="characters"
          maxLength={80}
          defaultValue={values.holder_name}
          error={errors.holder_name}
        />
        <cnpj-switch class="field">
          <Field
            name="holder_document"
            label="CPF do titular"
            inputMode="numeric"
            maxLength={60}
            placeholder="000.000.000-00"
            defaultValue={values.holder_document}
            error={errors.holder_document}
            hint={
              <button type="button" className="switch fine scripted">
                Usar CNPJ
              </button>
            }
          />
        </cnpj-switch>
        <div className="field">
          <label htmlFor="instalments">Parcelas</label>
          <select id="instalments" name="instalments" defaultValue={values.instalments}>
            {view.instalments.map(({ count, text }) => (
              <option key={count} value={count}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <input type="hidden" name="token" />
        <input type="hidden" name="public_key" value={fields?.publicKey} />
        <input type="hidden" name="brand" value={view.brand} />
        <input type="hidden" name="device_id" />
        <input type="hidden" name="pays_anyway" value={view.paysAnyway ? "1" : ""} />
        <button type="submit" className="btn btn-main wide" data-busy="Enviando ao banco...">
          <Lock aria-hidden size={18} />
          <span>Pagar com cartão</span>
        </button>
        <p className="fine">
          Os dados do cartão vão direto ao provedor de pagamento: não passam por esta loja nem ficam guardados
          nela.
        </p>
      </div>
    </form>
  );
}

/** A field in a frame of the provider's. Its label cannot focus it, so the frame names itself, too. */
function Hosted({ id, label }: { id: string; label: string }) {
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <div id={id} className="hosted" data-label={label} />
    </div>
  );
}

const ANNOUNCED =
  "Recebemos o aviso do seu pagamento e estamos confirmando com o banco. Não pague de novo: esta página avisa assim que a resposta chegar.";
const WAITING_TEXTS: Record<"verifying" | "in-review", string> = {
  verifying:
    "Enviamos o seu cartão e ainda não temos a resposta do banco. Não pague de novo, nem com PIX: esta página avisa assim que a resposta chegar.",
  "in-review":
    "O provedor do cartão está analisando a compra, o que pode levar até 2 dias úteis. Não pague de novo: avisamos por e-mail assim que houver uma resposta, e esta página também.",
};

function Waiting(view: CardView) {
  if (view.state !== "verifying" && view.state !== "in-review")
    return (
      <p className="alert is-wait" role="alert">
        {view.message}
      </p>
    );
  return (
    <>
      <CardBanner {...view} />
      <section className="card stack">
        {/* What was announced may be a PIX of the order. */}
        <p className="muted">{view.paymentSummary === "announced" ? ANNOUNCED : WAITING_TEXTS[view.state]}</p>
        {view.message && (
          <p className="alert is-wait" role="alert">
            {view.message}
          </p>
        )}
        <form method="post">
          <button type="submit" name="intent" value="check" className="btn wide">
            <span>Verificar agora</span>
          </button>
        </form>
      </section>
    </>
  );
}

function PayWithPix({ links, state, amountCents, pixCents }: CardView) {
  const saved = amountCents - pixCents;
  return (
    <form method="post" action={links.pix} className="card stack" aria-label="PIX">
      <div className="row">
        <PixMark />
        <p className="small">
          {state === "form" ? "Prefere PIX? A aprovação sai em segundos." : "Você ainda pode pagar com PIX."}
          {saved > 0 && ` Com o desconto você paga ${formatMoney(saved)} a menos.`}
        </p>
      </div>
      <button type="submit" name="intent" value="again" className="btn wide">
        <span>{saved > 0 ? `Pagar com PIX: ${formatMoney(pixCents)}` : "Pagar com PIX"}</span>
      </button>
    </form>
  );
}
