import { ChevronDown, CircleCheck, CircleX, Radio, TriangleAlert } from "lucide-react";
import type { LoggedEvent } from "#app/domain/delivery/utmify/list-events.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { Code } from "#app/ui/seller/destination/code.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";

/** An event for the screen: times are ISO text. */
export type EventView = Omit<LoggedEvent, "attemptedAt"> & { attemptedAt: string };

const TYPES = { purchase: "Compra", refund: "Reembolso", chargeback: "Chargeback" };
const STATES: Record<string, string> = {
  waiting_payment: "PIX gerado",
  refused: "pagamento recusado",
  paid: "pagamento aprovado",
  refunded: "valor devolvido",
  chargedback: "pagamento contestado",
};
const DELIVERY = { queued: "tentará de novo", sent: "enviado", failed: "não enviado", dropped: "descartado" };
const TONES = { queued: "info", sent: "success", failed: "error", dropped: "neutral" } as const;

/** Requests and responses, newest first. */
export function RecentEvents({ events }: { events: EventView[] }) {
  return (
    <Card title="Eventos recentes" flush>
      {events.length === 0 ? (
        <EmptyState
          icon={Radio}
          title="Nenhum evento ainda"
          text="Assim que um PIX for gerado ou uma venda for paga, o envio aparece aqui."
        />
      ) : (
        <>
          <EventList events={events.slice(0, NEWEST)} />
          {events.length > NEWEST && (
            <details className="border-base-300 border-t">
              <summary className="flex min-h-11 cursor-pointer items-center px-5 text-sm underline">
                {events.length === NEWEST + 1
                  ? "Mostrar o anterior"
                  : `Mostrar os ${events.length - NEWEST} anteriores`}
              </summary>
              <EventList events={events.slice(NEWEST)} />
            </details>
          )}
        </>
      )}
    </Card>
  );
}

/** Events shown at first; the others are behind a button. */
const NEWEST = 8;

function EventList({ events }: { events: EventView[] }) {
  return (
    <ul className="divide-y divide-base-300 border-base-300 border-t">
      {events.map((event) => (
        <li key={event.id} className="text-sm">
          <details className="group">
            <summary className="flex cursor-pointer items-center gap-3 px-5 py-2">
              <Answer status={event.responseStatus} />
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium">{TYPES[event.eventType]}</span>
                  <Badge tone={TONES[event.status]}>{DELIVERY[event.status]}</Badge>
                </span>
                <span className="block text-base-content/70 text-xs">
                  {`${pick(STATES, event.state) ?? event.state} · ${event.attemptedAt}`}
                  {event.responseStatus ? ` · HTTP ${event.responseStatus}` : ""}
                </span>
              </span>
              <ChevronDown
                className="size-4 shrink-0 text-base-content/60 transition-transform group-open:rotate-180"
                aria-hidden="true"
              />
            </summary>
            <div className="px-5 pb-4">
              <p className="text-base-content/70 text-xs">
                {event.attempts === 1 ? "1 tentativa" : `${event.attempts} tentativas`}
              </p>
              {event.note && <p className="mt-1 break-words">{event.note}</p>}
              <p className="mt-1 break-all font-mono text-base-content/70 text-xs">
                {event.transactionId ?? event.saleId}
              </p>
              <h3 className="mt-2 text-base-content/70 text-xs">Enviado</h3>
              <Code text={event.request} label="Pedido enviado" />
              <h3 className="mt-2 text-base-content/70 text-xs">Resposta do serviço</h3>
              <Code text={event.responseBody || "(vazia)"} label="Resposta recebida" />
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Answer({ status }: { status: number | null }) {
  const [Icon, color, label] = answerBadge(status);
  return (
    <span className={`flex w-14 shrink-0 flex-col items-center gap-1 text-xs ${color}`}>
      <Icon className="size-5" aria-hidden="true" />
      {label}
    </span>
  );
}

/** 200 or 201 is a success; 0 or none a failure; anything else a warning. */
function answerBadge(status: number | null) {
  if (status === 200 || status === 201) return [CircleCheck, "text-success", "Sucesso"] as const;
  if (status) return [TriangleAlert, "text-base-content", "Aviso"] as const;
  return [CircleX, "text-error", "Erro"] as const;
}
