import { Link } from "@remix-run/react";
import { ChevronDown, Inbox, RotateCw } from "lucide-react";
import type { LogPage } from "#app/domain/delivery/load-log.server.ts";
import { paths } from "#app/kit/paths.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { Code } from "#app/ui/seller/destination/code.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type LogProps = {
  log: LogPage;
  /** Nothing is sent then. */
  isStopped: boolean;
  /** The log's URL for a query. */
  at: (query: string) => string;
  today: string;
  /** A note about duplicates, if delivered events are sent again. */
  copies: string;
};

/** Requests and responses, newest first. */
export function DeliveryLog({ log, isStopped, at, today, copies }: LogProps) {
  return (
    <Card
      title="Envios"
      text="Corpos e respostas ficam por 30 dias."
      action={log.items.length > 0 && <ResendSpan today={today} copies={copies} />}
      flush
    >
      {log.items.length === 0 ? (
        <EmptyState
          icon={Inbox}
          title="Nada enviado ainda"
          text={
            isStopped
              ? "Enquanto está pausado, nenhuma venda é avisada. Reative para voltar a avisar."
              : "Assim que algo acontecer com uma venda, o aviso aparece aqui. Envie um teste para conferir."
          }
        />
      ) : (
        <Form method="post">
          <ul className="divide-y divide-base-300 border-base-300 border-t">
            {log.items.map((delivery) => (
              <Entry key={delivery.id} {...{ delivery, log, at }} />
            ))}
          </ul>
        </Form>
      )}
      {(log.newer || log.older) && (
        <nav
          aria-label="Páginas de envios"
          className="flex justify-between gap-2 border-base-300 border-t px-3 py-2"
        >
          {log.newer ? (
            <Link to={at(`after=${log.newer}`)} className="btn btn-ghost min-h-11">
              Mais novos
            </Link>
          ) : (
            <span />
          )}
          {log.older && (
            <Link to={at(`before=${log.older}`)} className="btn btn-ghost min-h-11">
              Mais antigos
            </Link>
          )}
        </nav>
      )}
    </Card>
  );
}

type EntryProps = Pick<LogProps, "log" | "at"> & { delivery: LogPage["items"][number] };

function Entry({ delivery, log, at }: EntryProps) {
  const { id, attempts, open } = delivery;
  const query = [log.page, open ? "" : `entry=${id}`].filter(Boolean).join("&");
  return (
    <li id={id} className="scroll-mt-20 px-5 py-4 text-sm">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium">{delivery.label}</span>
            {delivery.isTest && <Badge tone="info">Teste</Badge>}
            <Badge tone={delivery.outcome.tone}>{delivery.outcome.label}</Badge>
          </p>
          <p className="mt-1 text-base-content/70 text-xs">
            {delivery.createdAt}
            {attempts > 0 && ` · ${attempts === 1 ? "1 tentativa" : `${attempts} tentativas`}`}
            {delivery.responseStatus ? ` · HTTP ${delivery.responseStatus}` : ""}
          </p>
          {delivery.outcome.text && <p className="mt-1 break-words">{delivery.outcome.text}</p>}
          {delivery.nextAttemptAt && (
            <p className="mt-1 text-base-content/70 text-xs">Próxima tentativa em {delivery.nextAttemptAt}</p>
          )}
        </div>
        <SubmitButton
          intent={`resend:${id}`}
          pending="Enviando..."
          className="btn-ghost -ml-4 sm:ml-0"
          title={`Enviar de novo: ${delivery.label}, ${delivery.createdAt}`}
        >
          <RotateCw className="size-4" aria-hidden="true" />
          Enviar de novo
        </SubmitButton>
      </div>
      <Link
        to={`${at(query)}#${id}`}
        replace
        aria-expanded={open !== null}
        className="mt-1 inline-flex min-h-11 items-center gap-1 text-xs underline"
      >
        <ChevronDown className={`size-4 ${open ? "rotate-180" : ""}`} aria-hidden="true" />
        Aviso e resposta
      </Link>
      {open && <Content {...open} />}
    </li>
  );
}

/** What was sent and answered, and each attempt. */
function Content(open: NonNullable<LogPage["items"][number]["open"]>) {
  return (
    <>
      <p className="break-all text-base-content/70 text-xs">
        {open.messageId && <code>{open.messageId}</code>}
        {open.saleId && (
          <>
            {open.messageId && " · "}
            <Link to={paths.sale(open.saleId)} className="link">
              Ver a venda
            </Link>
          </>
        )}
      </p>
      {open.attempts.length > 0 && (
        <ul className="mt-2 flex flex-col gap-1 text-xs">
          {open.attempts.map((attempt) => (
            <li key={attempt.at}>
              <span className="text-base-content/70">{attempt.at}</span> · {attempt.text} ·{" "}
              <span className="tabular-nums">{attempt.ms} ms</span>
            </li>
          ))}
        </ul>
      )}
      <h3 className="mt-3 text-base-content/70 text-xs">Enviado</h3>
      <Code
        label="Corpo enviado"
        text={open.body ?? (open.cleared ? "(apagado depois de 30 dias)" : "(ainda não enviado)")}
      />
      <h3 className="mt-3 text-base-content/70 text-xs">Resposta</h3>
      <Code label="Resposta recebida" text={open.answer || (open.cleared ? "(apagada)" : "(vazia)")} />
    </>
  );
}

/** Resends the deliveries of a time span, for a receiver that was unavailable. */
function ResendSpan({ today, copies }: { today: string; copies: string }) {
  return (
    <ConfirmDialog
      trigger="Reenviar um período"
      triggerClassName="btn min-h-11 border-base-300"
      title="Reenviar um período"
      text={`Reenvia, na ordem, o que não chegou. ${copies}`}
    >
      <Form method="post" noValidate className="flex w-full flex-col gap-3">
        <div className="grid grid-cols-2 gap-3">
          <label className="text-sm">
            <span className="mb-1 block font-medium">De</span>
            <input
              type="date"
              name="from"
              required
              defaultValue={today}
              max={today}
              className="input h-11 w-full text-base"
            />
          </label>
          <label className="text-sm">
            <span className="mb-1 block font-medium">Até</span>
            <input
              type="date"
              name="to"
              required
              defaultValue={today}
              max={today}
              className="input h-11 w-full text-base"
            />
          </label>
        </div>
        <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 text-sm">
          <input type="checkbox" name="all" className="checkbox checkbox-primary checkbox-sm" />
          Também o que já foi entregue
        </label>
        <SubmitButton intent="resend-span" pending="Reenviando..." className="btn-primary self-end">
          Reenviar
        </SubmitButton>
      </Form>
    </ConfirmDialog>
  );
}
