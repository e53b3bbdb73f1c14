import { CircleCheck, CircleX } from "lucide-react";
import type { PixView } from "#app/ui/buyer/pix-view.ts";

/** How the payment stands; `payment-watch` turns it when news come. Texts: spec, payment-status banner. */
export function PaymentBanner({ links, expiresAt }: Pick<PixView, "links" | "expiresAt">) {
  return (
    <payment-watch
      data-events={links.events}
      data-status={links.status}
      data-paid={links.paid}
      role="status"
      aria-label="Situação do pagamento"
    >
      <div className="alert is-wait" data-state="pending">
        <span className="dot" />
        <div className="grow">
          <div className="wait-line">
            <b>Aguardando Pagamento</b>
            {expiresAt && (
              <expiry-clock class="small scripted" role="timer">
                Expira em <time dateTime={expiresAt.toISOString()}>{minutesLeft(expiresAt)}</time>
              </expiry-clock>
            )}
          </div>
          <p className="wait-line fine scripted">
            <span data-last="">Avisaremos aqui.</span>
            <button type="submit" form="verificar" name="intent" value="check" className="now">
              Verificar agora
            </button>
          </p>
        </div>
      </div>
      <div className="alert is-good" data-state="completed" hidden>
        <CircleCheck aria-hidden size={22} />
        <div>
          <b>Pagamento Aprovado!</b>
          <p className="small">🎉 Redirecionando para página de confirmação...</p>
        </div>
      </div>
      <div className="alert is-error" data-state="failed" hidden>
        <CircleX aria-hidden size={22} />
        <div>
          <b>Pagamento Recusado</b>
          <p className="small">Pagamento não foi aprovado. Tente novamente.</p>
        </div>
      </div>
    </payment-watch>
  );
}

function minutesLeft(until: Date): string {
  const seconds = Math.max(0, Math.round((until.getTime() - Date.now()) / 1000));
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
