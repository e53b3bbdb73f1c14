import { paths } from "#app/kit/paths.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { PanelForm, RefundForm } from "#app/ui/seller/refund-form.tsx";

/** A sale's disputes for display: money and times as text. */
export type DisputesView = {
  saleId: string;
  saleStatus: string;
  /** Whether the buyer's access is suspended meanwhile. */
  isSuspended: boolean;
  /** Whether the provider reports disputes: then they are not entered manually. */
  areReported: boolean;
  isFree: boolean;
  /** Whether it was paid by card. */
  isCard: boolean;
  /** Whether the provider waits for evidence. */
  maySendEvidence: boolean;
  disputes: {
    id: string;
    status: "open" | "won" | "lost" | "refunded";
    amount: string;
    note: string | null;
    openedAt: string;
    decidedAt: string | null;
    /** The provider's id of it. */
    providerId: string | null;
    /** What the provider says of the evidence. */
    evidence: string | null;
  }[];
};

const BADGES: Record<DisputesView["disputes"][number]["status"], [BadgeTone, string]> = {
  open: ["warning", "Espera o banco"],
  won: ["success", "Recusada"],
  lost: ["neutral", "Aceita"],
  refunded: ["neutral", "Reembolsada por você"],
};

/** A sale's disputes: their state, and the forms for sellers whose provider does not report them. */
export function DisputePanel({
  saleId,
  saleStatus,
  isSuspended,
  areReported,
  isFree,
  disputes,
  ...view
}: DisputesView) {
  const isOpen = saleStatus === "disputed";
  const mayEnter = !areReported && (isOpen || (saleStatus === "completed" && !isFree));
  if (!mayEnter && disputes.length === 0) return null;
  return (
    <Card
      id="contestacao"
      title="Contestação"
      text={
        view.isCard
          ? "Quando quem pagou contesta a compra no banco do cartão (chargeback), o banco decide se o valor volta."
          : "Quando quem pagou contesta o PIX no próprio banco (MED), o banco decide se o valor volta."
      }
    >
      <div className="flex flex-col gap-5 text-sm">
        {disputes.map(({ id, status, amount, note, openedAt, decidedAt, providerId, evidence }) => (
          <div key={id} className="flex flex-col gap-1">
            <p className="flex flex-wrap items-center justify-between gap-3">
              <span>
                <strong className="font-semibold">{amount}</strong>{" "}
                <span className="text-base-content/70">
                  contestados em {openedAt}
                  {decidedAt && `, com decisão em ${decidedAt}`}
                </span>
              </span>
              <Badge tone={BADGES[status][0]}>{BADGES[status][1]}</Badge>
            </p>
            {note && <p className="break-words text-base-content/70">{note}</p>}
            {evidence && <p>{evidence}</p>}
            {providerId && <p className="break-all text-base-content/70">Número no provedor: {providerId}</p>}
          </div>
        ))}
        {isOpen && (
          <p className="text-base-content/70">
            {isSuspended
              ? "O acesso do comprador está suspenso até a decisão."
              : "O comprador continua com o acesso até a decisão."}{" "}
            {areReported
              ? "A decisão aparece aqui sozinha."
              : "Responda ao provedor com os comprovantes da entrega."}
          </p>
        )}
        {isOpen && <Evidence saleId={saleId} maySend={view.maySendEvidence} />}
        {mayEnter && <Entries saleId={saleId} isOpen={isOpen} />}
      </div>
    </Card>
  );
}

function Evidence({ saleId, maySend }: { saleId: string; maySend: boolean }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-base-content/70">
        O PDF de comprovantes reúne só o que a loja registrou desta venda: pedido, dados do comprador,
        e-mails, acessos e downloads. Confira antes de enviar.
      </p>
      <div className="flex flex-wrap gap-2">
        <a href={paths.evidence(saleId)} download className="btn min-h-11 border-base-300 font-normal">
          Baixar comprovantes (PDF)
        </a>
        {maySend && (
          <ConfirmDialog
            trigger="Enviar comprovantes"
            triggerClassName="btn btn-primary min-h-11"
            title="Enviar os comprovantes?"
            text="O PDF, com os dados do comprador, vai ao provedor, que o encaminha ao banco do cartão. Só dá para enviar uma vez."
          >
            <PanelForm saleId={saleId} intent="send-evidence" label="Enviar comprovantes" harmless />
          </ConfirmDialog>
        )}
      </div>
    </div>
  );
}

function Entries({ saleId, isOpen }: { saleId: string; isOpen: boolean }) {
  return (
    <div className="flex flex-wrap gap-2">
      {isOpen ? (
        <ConfirmDialog
          trigger="Contestação recusada"
          triggerClassName="btn min-h-11 border-base-300 font-normal"
          title="A contestação foi recusada?"
          text="Use quando o banco decidiu que o valor fica com você. A venda volta a valer, com o acesso do comprador."
        >
          <PanelForm saleId={saleId} intent="dispute-won" label="Registrar recusa" harmless />
        </ConfirmDialog>
      ) : (
        <ConfirmDialog
          trigger="Registrar contestação"
          triggerClassName="btn min-h-11 border-base-300 font-normal"
          title="Registrar contestação?"
          text="Use quando o provedor avisou que o pagamento foi contestado e o banco ainda não decidiu. O valor não conta como vendido até a decisão."
        >
          <RefundForm saleId={saleId} className="contents">
            <label htmlFor="contestacao-nota" className="mb-2 flex w-full flex-col gap-1 text-sm">
              Anotação (opcional)
              <input
                id="contestacao-nota"
                name="note"
                maxLength={500}
                autoComplete="off"
                placeholder="Protocolo, prazo para responder"
                className="input min-h-11 w-full"
              />
            </label>
            <SubmitButton
              intent="dispute"
              fetcherKey={`refund/${saleId}`}
              pending="Enviando..."
              className="btn-primary order-1"
            >
              Registrar contestação
            </SubmitButton>
          </RefundForm>
        </ConfirmDialog>
      )}
      <ConfirmDialog
        trigger={isOpen ? "Contestação aceita" : "Registrar chargeback"}
        triggerClassName="btn min-h-11 border-base-300 font-normal"
        title={isOpen ? "A contestação foi aceita?" : "Registrar chargeback?"}
        text="Use quando o banco já retirou o valor e o devolveu a quem pagou. O acesso do comprador termina. Não dá para desfazer."
      >
        <PanelForm saleId={saleId} intent="dispute-lost" label="Registrar chargeback" />
      </ConfirmDialog>
    </div>
  );
}
