import { useForm } from "@conform-to/react";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { type FormReply, RestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { leavesUnlessOnly } from "#app/ui/seller/form/unsaved-work.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";
import { REQUEST_BADGES } from "#app/ui/seller/sale/request-badges.ts";

/** A refund request for display: money and times as text. */
export type RefundRequestView = {
  state: keyof typeof REQUEST_BADGES;
  /** Whether the buyer was anonymized: nobody reads an answer. */
  isErased: boolean;
  kind: "right" | "question";
  reason: string | null;
  answerText: string | null;
  /** Removed where the buyer was anonymized. */
  failure: string | null;
  at: string;
  due: string;
  isLate: boolean;
  amount: string;
  /** Whether the provider no longer refunds it. */
  isManual: boolean;
};

/** Texts for refunds that the buyer is entitled to, without the seller's decision. */
const RIGHT: Partial<Record<RefundRequestView["state"], string>> = {
  requested: "pedimos a devolução ao provedor, sem precisar da sua resposta.",
  "on-its-way": "o provedor aceitou devolver, sem precisar da sua resposta.",
  back: "o valor foi devolvido.",
};

/** The button that declines a refund request. */
export const DECLINE = "decline";

/** The refund request, its reason, and the seller's answer if one is needed. */
export function RefundRequestCard(props: {
  saleId: string;
  request: RefundRequestView | null;
  /** The reply to a submitted refusal. */
  reply: FormReply | null;
}) {
  const { saleId, request, reply } = props;
  if (!request) return null;
  const { state, isErased, kind, reason, answerText, failure, at } = request;
  const [tone, label] = REQUEST_BADGES[state];
  return (
    <Card id="pedido" title="Pedido de reembolso" action={<Badge tone={tone}>{label}</Badge>}>
      <div className="flex flex-col gap-3 text-sm">
        <p>
          {kind === "right"
            ? `O comprador desistiu em ${at}, dentro do prazo: ${RIGHT[state] ?? "tem direito ao dinheiro de volta."}`
            : `O comprador pediu em ${at}, depois do prazo para desistir.`}
        </p>
        {reason && <Quote heading="Motivo" words={reason} />}
        {!reason && !isErased && <p className="text-base-content/70">Sem motivo escrito.</p>}
        {answerText && <Quote heading="Sua resposta" words={answerText} />}
        {state === "unconfirmed" && (
          <p>
            O provedor não confirmou o reembolso, que pode ter sido feito. Antes de pedir outro perguntamos a
            ele, por nossa conta; abaixo está o que você pode conferir.
          </p>
        )}
        {state === "failing" && (
          <p className="break-words">
            O reembolso não saiu. {failure} Tentamos de novo por nossa conta; abaixo você também pode tentar.
          </p>
        )}
        {state === "by-hand" && (
          <p className="break-words">
            {failure && !isErased
              ? `${failure} Combine a chave PIX com o comprador; ele já sabe que é você quem devolve.`
              : "O provedor não devolve este pagamento, e os dados do comprador foram apagados: devolva à conta de onde veio o pagamento."}
          </p>
        )}
        {state === "waiting" ? (
          <AnswerForms {...{ saleId, request, reply }} />
        ) : (
          reply && <NotSent reply={reply} />
        )}
        {state === "erased" && <RefundOfErased {...{ saleId, request }} />}
      </div>
    </Card>
  );
}

function Quote({ heading, words: quoted }: { heading: string; words: string }) {
  return (
    <div>
      <p className="font-medium">{heading}</p>
      <blockquote className="mt-1 whitespace-pre-line break-words border-base-300 border-l-4 pl-3 text-base-content/80">
        {quoted}
      </blockquote>
    </div>
  );
}

/** Already answered elsewhere: the text stays, so that it can be copied. */
function NotSent({ reply }: { reply: FormReply }) {
  const typed = String(reply.initialValue?.words ?? "");
  return (
    <>
      <Alert tone="error" text={reply.error?.[""]?.[0] ?? "Resposta não enviada."} />
      {typed && <Quote heading="O que você escreveu" words={typed} />}
    </>
  );
}

function AnswerForms(props: { saleId: string; request: RefundRequestView; reply: FormReply | null }) {
  const { saleId, request, reply } = props;
  return (
    <div className="flex flex-col gap-4 border-base-300 border-t pt-4">
      <p>
        {request.isLate ? (
          <>
            O prazo para responder terminou em <b>{request.due}</b>, e o comprador continua esperando.
          </>
        ) : (
          <>
            Responda até <b>{request.due}</b>: o comprador vê este prazo.
          </>
        )}{" "}
        Ele é avisado da resposta por e-mail e a lê na página da compra.
      </p>
      {request.isManual && (
        <p>
          O provedor não devolve mais este pagamento. Se aceitar, combine a chave PIX com o comprador, devolva{" "}
          {request.amount} pelo banco e marque a venda como reembolsada.
        </p>
      )}
      <GrantForm
        saleId={saleId}
        trigger={request.isManual ? "Aceitar e devolver pelo banco" : `Aceitar e devolver ${request.amount}`}
        label="Aceitar e devolver"
        title={`Devolver ${request.amount}?`}
        text={
          request.isManual
            ? "O comprador é avisado por e-mail de que você aceitou e vai devolver pelo banco."
            : "O valor volta a quem pagou, o acesso do comprador termina e ele é avisado por e-mail. Não dá para desfazer. A taxa do provedor normalmente não é devolvida."
        }
      />
      <DeclineForm reply={reply} />
    </div>
  );
}

/** Nobody waits for an answer; the seller may still refund. */
function RefundOfErased({ saleId, request }: { saleId: string; request: RefundRequestView }) {
  const { amount, isManual } = request;
  return (
    <div className="flex flex-col gap-4 border-base-300 border-t pt-4">
      <p>Os dados do comprador foram apagados: ele não espera mais uma resposta, e ninguém a leria.</p>
      {isManual ? (
        <p>
          O provedor não devolve mais este pagamento. Se quiser devolver mesmo assim, mande {amount} pelo
          banco à conta de onde veio o pagamento e marque a venda como reembolsada.
        </p>
      ) : (
        <>
          <p>Se quiser devolver mesmo assim, o valor volta à conta que pagou.</p>
          <GrantForm
            saleId={saleId}
            trigger={`Devolver ${amount}`}
            label="Devolver"
            title={`Devolver ${amount}?`}
            text="O valor volta à conta que pagou. Não dá para desfazer. A taxa do provedor normalmente não é devolvida."
          />
        </>
      )}
    </div>
  );
}

function GrantForm(props: { saleId: string; trigger: string; label: string; title: string; text: string }) {
  return (
    <div>
      <ConfirmDialog
        trigger={props.trigger}
        triggerClassName="btn btn-primary h-auto min-h-11 w-full whitespace-normal py-2 sm:w-auto"
        title={props.title}
        text={props.text}
      >
        <PanelForm saleId={props.saleId} intent="grant" label={props.label} />
      </ConfirmDialog>
    </div>
  );
}

/** It stays while the buyer's data are edited. */
const OF_SALE = leavesUnlessOnly(["edit"]);

function DeclineForm({ reply }: { reply: FormReply | null }) {
  const [form, fields] = useForm<{ words: string }>({ id: "recusa", lastResult: reply });
  return (
    <RestoredForm
      id={form.id}
      intent={DECLINE}
      reply={reply}
      leaves={OF_SALE}
      preventScrollReset
      className="flex flex-col gap-2"
    >
      <FormErrors errors={form.errors} fields={[[fields.words, "Explicação"]]} />
      <Textarea
        field={fields.words}
        label="Ou recuse, com uma explicação"
        rows={3}
        maxLength={1000}
        required
      />
      <SubmitButton
        intent={DECLINE}
        pending="Enviando..."
        className="w-full border-base-300 bg-base-100 sm:w-auto sm:self-start"
      >
        Recusar e responder
      </SubmitButton>
    </RestoredForm>
  );
}
