import { Link } from "@remix-run/react";
import { CircleAlert } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";

/** Action items for display: money and times as text, `provider` with its article. */
type ActionItemView =
  | { kind: "key-refused"; provider: string; hasSpare: boolean; stopsCards: boolean; unconfirmed: number }
  | { kind: "provider-down"; provider: string; hasSpare: boolean; failures: number; last: string }
  | { kind: "spare-failed"; provider: string }
  | { kind: "cards-refused"; title: string; about: string; todo: string }
  | SaleItemView;

type SaleItemView = {
  kind:
    | "extra-disputed"
    | "surplus"
    | "mispaid"
    | "refund-unconfirmed"
    | "refund-refused"
    | "refund-question"
    | "refund-by-hand"
    | "disputed"
    | "cancelled-after-paid"
    | "card-undecided"
    | "access-undelivered"
    | "news-waiting";
  saleId: string;
  chargeId: string | null;
  productName: string;
  customerName: string | null;
  amount: string;
  since: string;
  /** Of a dispute: what the provider says of the evidence, and until when it accepts any. */
  evidence: "not_needed" | "needed" | "in_review" | "accepted" | "rejected" | "missed" | null;
  due: string | null;
  isLate: boolean;
  /** Whether evidence was sent minutes ago. */
  isArriving: boolean;
};

/** `part` of the sale's page is where it is done. */
const ITEM_TEXTS: Record<SaleItemView["kind"], { title: string; todo: string; part: string }> = {
  "extra-disputed": {
    title: "Pagamento que não conta, contestado no banco",
    todo: "Não devolva agora: espere a decisão do banco",
    part: "reembolso",
  },
  surplus: { title: "Pago duas vezes", todo: "Devolva o pagamento a mais", part: "reembolso" },
  mispaid: { title: "PIX de outro valor", todo: "Devolva ou combine com o comprador", part: "reembolso" },
  "refund-unconfirmed": {
    title: "Reembolso não confirmado",
    todo: "Confira no provedor e conclua",
    part: "reembolso",
  },
  "refund-refused": {
    title: "Reembolso recusado pelo provedor",
    todo: "Veja o motivo e o que fazer",
    part: "reembolso",
  },
  "refund-question": {
    title: "Comprador pede reembolso",
    todo: "Devolva ou recuse com uma explicação",
    part: "pedido",
  },
  "refund-by-hand": {
    title: "Reembolso pelo banco",
    todo: "Devolva e marque a venda como reembolsada",
    part: "pedido",
  },
  disputed: {
    title: "Pagamento contestado",
    todo: "Responda ao provedor com os comprovantes da entrega",
    part: "contestacao",
  },
  "cancelled-after-paid": {
    title: "O provedor agora diz “cancelado” de um pagamento confirmado",
    todo: "Confira no painel do provedor; se o valor voltou, marque a venda como reembolsada",
    part: "reembolso",
  },
  "card-undecided": {
    title: "Cartão sem resposta há mais de 30 dias",
    todo: "Veja no painel do provedor se foi cobrado e conclua na venda: até lá o comprador não consegue pagar",
    part: "cartao",
  },
  "access-undelivered": {
    title: "O e-mail com o acesso não chegou",
    todo: "Corrija o e-mail do comprador ou envie o acesso de novo",
    part: "emails",
  },
  "news-waiting": { title: "Pagamento avisado, sem confirmação", todo: "Verifique agora", part: "historico" },
};

/** The seller's action items; nothing if there are none. */
export function ActionItems({ items }: { items: ActionItemView[] }) {
  if (items.length === 0) return null;
  return (
    <Card title="Precisa de você" className="mb-6" flush>
      <ul className="divide-y divide-base-300 border-base-300 border-t">
        {items.map((item) =>
          item.kind === "provider-down" ? (
            <ActionItemRow
              key={item.kind}
              to={paths.settings("gateways")}
              title={`${item.provider} não está gerando códigos PIX`}
              about={`As últimas ${item.failures} tentativas de compradores falharam, a última em ${item.last}.`}
              todo={
                item.hasSpare
                  ? "Veja com este provedor se há uma falha. Enquanto isso, outro seu gera os códigos PIX"
                  : "Tentamos de novo a cada comprador. Veja com o provedor se há uma falha"
              }
            />
          ) : item.kind === "key-refused" ? (
            <ActionItemRow
              key={`${item.kind} ${item.provider}`}
              to={paths.settings("gateways")}
              title={`${item.provider} recusou a sua API Key`}
              about={`${describeStop(item)}${waiting(item.unconfirmed)}.`}
              todo="Confira a chave em Configurações › Gateways"
            />
          ) : item.kind === "spare-failed" ? (
            <ActionItemRow
              key={item.kind}
              to={paths.settings("gateways")}
              title={`${item.provider} não serve de reserva agora`}
              about="No teste diário, esta conta não gerou um código PIX. O seu primeiro provedor continua gerando."
              todo="Veja o motivo em Configurações › Gateways"
            />
          ) : item.kind === "cards-refused" ? (
            <ActionItemRow key={item.kind} to={paths.settings("gateways")} {...item} />
          ) : (
            <ActionItemRow
              key={`${item.chargeId ?? item.saleId} ${item.kind}`}
              to={`${paths.sale(item.saleId)}#${ITEM_TEXTS[item.kind].part}`}
              title={ITEM_TEXTS[item.kind].title}
              about={`${item.productName}${item.customerName ? ` · ${item.customerName}` : ""} · desde ${item.since}`}
              amount={item.amount}
              todo={describeTodo(item)}
            />
          ),
        )}
      </ul>
    </Card>
  );
}

/** A dispute that needs no evidence, or has it, only waits for the bank. */
function describeTodo({ kind, evidence, due, isLate, isArriving }: SaleItemView): string {
  if (kind !== "disputed" || evidence === null) return ITEM_TEXTS[kind].todo;
  if (evidence !== "needed") return "Espera a decisão do banco";
  if (isArriving) return "Espere: estamos conferindo se os comprovantes chegaram";
  if (isLate) return "O prazo para os comprovantes terminou: veja com o provedor se ainda os aceita";
  return `Envie os comprovantes ao provedor${due ? ` até ${due}` : ""}`;
}

/** What buyers can no longer pay with; PIX may go on through another account than the one whose key is refused. */
function describeStop({ hasSpare, stopsCards }: { hasSpare: boolean; stopsCards: boolean }): string {
  if (hasSpare)
    return stopsCards
      ? "Ninguém consegue pagar com cartão; o PIX continua por outro provedor"
      : "Outro provedor seu gera os códigos PIX";
  return stopsCards ? "Ninguém consegue pagar" : "Ninguém consegue pagar por PIX";
}

function waiting(unconfirmed: number): string {
  if (unconfirmed === 0) return "";
  return unconfirmed === 1
    ? ", e um pagamento avisado espera pela confirmação"
    : `, e ${unconfirmed} pagamentos avisados esperam pela confirmação`;
}

function ActionItemRow(props: { to: string; title: string; about: string; todo: string; amount?: string }) {
  return (
    <li>
      <Link to={props.to} className="flex items-start gap-3 px-5 py-3 text-sm hover:bg-base-200/60">
        <CircleAlert className="mt-0.5 size-5 shrink-0 text-warning" aria-hidden="true" />
        <span className="min-w-0 grow">
          <span className="flex items-baseline justify-between gap-3 font-semibold">
            <span className="min-w-0">{props.title}</span>
            {props.amount && <span className="whitespace-nowrap tabular-nums">{props.amount}</span>}
          </span>
          <span className="block break-words text-base-content/70">{props.about}</span>
          <span className="block">{props.todo}</span>
        </span>
      </Link>
    </li>
  );
}
