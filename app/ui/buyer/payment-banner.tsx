import { CircleCheck, CircleX } from "lucide-react";
import { ExpiryClock } from "#app/ui/buyer/expiry-clock.tsx";
import type { PixView } from "#app/ui/buyer/pix-view.ts";

type BannerView = Pick<PixView, "state" | "paymentSummary" | "links" | "expiresAt">;

/**
 * The payment's state, updated by `payment-watch`. After the code expired it only waits for a late payment, and is hidden
 * until there is one. Texts: spec, payment-status banner.
 */
export function PaymentBanner({ state, paymentSummary, links, expiresAt }: BannerView) {
  const payable = state === "payable";
  return (
    <payment-watch
      data-events={links.events}
      data-status={links.status ?? undefined}
      data-paid={links.paid}
      data-failed={links.failed}
      data-standing={paymentSummary}
      data-late={payable ? undefined : ""}
      role="status"
      aria-label="Situação do pagamento"
    >
      {payable && <Pending expiresAt={expiresAt} />}
      <div className="alert is-good" data-state="completed" hidden>
        <CircleCheck aria-hidden size={22} />
        <div>
          <b>Pagamento Aprovado!</b>
          <p className="small">🎉 Redirecionando para página de confirmação...</p>
        </div>
      </div>
      {payable && (
        <div className="alert is-error" data-state="failed" hidden>
          <CircleX aria-hidden size={22} />
          <div>
            <b>Pagamento Recusado</b>
            <p className="small">Pagamento não foi aprovado. Tente novamente.</p>
          </div>
        </div>
      )}
    </payment-watch>
  );
}

/** The time that a code has left, by a script that then shows what follows. `label` stands before it. */
export function CodeClock({ expiresAt, label }: { expiresAt: Date; label: string }) {
  return (
    <ExpiryClock until={expiresAt} className="small scripted" role="timer">
      {(time) => (
        <>
          {label} {time}
        </>
      )}
    </ExpiryClock>
  );
}

function Pending({ expiresAt }: Pick<PixView, "expiresAt">) {
  return (
    <div className="alert is-wait" data-state="pending">
      <span className="dot" />
      <div className="grow">
        <div className="wait-line">
          <b>Aguardando Pagamento</b>
          {expiresAt && <CodeClock expiresAt={expiresAt} label="Expira em" />}
        </div>
        <p className="wait-line fine scripted">
          {/* It changes with every check: a screen reader would read the whole banner each time. */}
          <span data-last="" aria-live="off">
            O aviso aparece aqui.
          </span>
          <button type="submit" form="verificar" name="intent" value="check" className="now">
            Verificar agora
          </button>
        </p>
      </div>
    </div>
  );
}
