import { Check, Copy } from "lucide-react";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { PixMark } from "#app/ui/buyer/checkout/pix-panel.tsx";
import { OtherOrderLink } from "#app/ui/buyer/field.tsx";
import { PaymentNotes } from "#app/ui/buyer/payment/notes.tsx";
import { OrderBox } from "#app/ui/buyer/payment/order-box.tsx";
import { isOverForGood, PayAgain } from "#app/ui/buyer/payment/pay-again.tsx";
import { PaymentBanner } from "#app/ui/buyer/payment-banner.tsx";
import type { PixView } from "#app/ui/buyer/pix-view.ts";

const STEPS = [
  "Abra o app do seu banco e entre na área PIX",
  "Escolha “Pix copia e cola” ou “Ler QR code”",
  "Cole o código ou aponte a câmera para o QR code",
  "Confira o valor e o nome e confirme o pagamento",
];

export function PixPage(view: PixView) {
  return (
    <main className="page narrow">
      <header className="started">
        <h1>{TITLES[view.state]}</h1>
        {view.state === "payable" && (
          <p className="muted">Escaneie o QR code ou copie o código PIX para concluir a compra.</p>
        )}
        {view.state !== "payable" && view.links.status && <PaymentBanner {...view} />}
      </header>
      {view.message && (
        <p className="alert is-wait" role="alert">
          {view.message} <OtherOrderLink saleId={view.heldBySaleId} />
        </p>
      )}
      <PaymentNotes notes={view.notes} />
      <Body {...view} />
      <OrderBox {...view} mayStillBePaid={mayStillBePaid(view)} />
      {view.links.card && CARD_STATES.includes(view.state) && (
        <a className="btn wide" href={view.links.card}>
          {view.cardCents === view.amountCents
            ? "Pagar com cartão"
            : `Pagar com cartão: ${formatMoney(view.cardCents)}`}
        </a>
      )}
      {view.parentSaleId && view.state === "payable" && (
        <a className="btn wide" href={view.links.back}>
          Voltar à minha compra
        </a>
      )}
      {view.warning && <p className="fine">{view.warning}</p>}
    </main>
  );
}

/** In these states nothing that was paid waits to be confirmed or given back. */
const CARD_STATES: PixView["state"][] = ["payable", "over", "closed", "used", "unmade", "failed"];

/** The page's title in each state. */
const TITLES: Record<PixView["state"], string> = {
  payable: "Pagamento Iniciado",
  waiting: "Estamos confirmando o seu pagamento",
  making: "Estamos gerando o seu PIX",
  over: "Este código PIX expirou",
  closed: "Este pedido foi cancelado",
  used: "Este código PIX já foi usado",
  unmade: "Não foi possível gerar o PIX",
  failed: "Pagamento não aprovado",
  mispaid: "Recebemos um PIX de outro valor",
};

function Body(view: PixView) {
  if (view.state === "payable") return <Payable {...view} />;
  const text = PENDING_TEXTS[view.state];
  return text ? <PendingNote text={text} /> : <PayAgain {...view} />;
}

/** In these states a payment is awaited; in the others a new code can be created. */
const PENDING_TEXTS: Partial<Record<PixView["state"], string>> = {
  waiting:
    "Recebemos o aviso do seu pagamento e estamos confirmando com o banco. Não pague de novo: esta página avisa assim que terminar.",
  making: "O código aparece aqui em alguns segundos.",
  mispaid: "A compra não foi concluída. Para combinar com o vendedor, veja o atendimento abaixo.",
};

/** The buyer can only wait, or contact the seller. */
function PendingNote({ text }: { text: string }) {
  return (
    <section className="card stack">
      <p className="muted">{text}</p>
      <form method="post">
        <button type="submit" name="intent" value="check" className="btn wide">
          <span>Verificar agora</span>
        </button>
      </form>
    </section>
  );
}

function Payable(view: PixView) {
  return (
    <>
      <PaymentBanner {...view} />
      <section className="card stack" aria-labelledby="pagar">
        <div className="spread">
          <div className="row">
            <PixMark />
            <h2 id="pagar">Pague com PIX</h2>
          </div>
          <b className="sum">{formatMoney(view.amountCents)}</b>
        </div>
        <div className="pay-ways">
          <copy-code class="copy">
            <button type="button" className="btn btn-main wide scripted">
              <Copy aria-hidden size={18} />
              <span>Copiar código</span>
            </button>
            <label className="hush" htmlFor="codigo">
              Código PIX copia e cola
            </label>
            <textarea
              className="code"
              id="codigo"
              readOnly
              rows={6}
              spellCheck={false}
              value={view.pixCode}
            />
            <p className="hush" role="status" />
            <noscript>
              <p className="fine">
                Selecione e copie o código
                {view.expiresAt && `, que vale até ${formatDateTime(view.expiresAt)}`}.
              </p>
            </noscript>
          </copy-code>
          <div className="qr">
            <div role="img" aria-label="QR code do PIX" dangerouslySetInnerHTML={{ __html: view.qrSvg }} />
            <p className="fine">Vai pagar com outro aparelho? Aponte a câmera.</p>
          </div>
        </div>
      </section>
      <section className="card" aria-labelledby="passos">
        <h2 id="passos">Como pagar</h2>
        <ol className="steps">
          {STEPS.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <form method="post" data-check="" id="verificar" className="stack">
        <button type="submit" name="intent" value="check" className="btn wide">
          <Check aria-hidden size={18} />
          <span>Já paguei - Verificar status</span>
        </button>
        <p className="alert is-wait" role="status" hidden />
        <p className="fine centered">
          O sistema verifica o pagamento automaticamente. Você pode deixar esta página aberta.
        </p>
      </form>
      {view.simulateUrl && (
        <form method="post" action={view.simulateUrl} className="alert">
          <div className="stack grow">
            <p className="small">Ambiente de demonstração: nenhum dinheiro é movimentado.</p>
            <button type="submit" className="btn">
              Simular pagamento
            </button>
          </div>
        </form>
      )}
    </>
  );
}

/** Whether a payment can still complete this order: by its code, by an older one that was paid late, or by a new one. */
function mayStillBePaid(view: PixView): boolean {
  return view.state !== "mispaid" && ((view.isForSale && !isOverForGood(view)) || view.hadCode);
}
