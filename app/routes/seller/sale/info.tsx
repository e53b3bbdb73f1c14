import { ExternalLink } from "lucide-react";
import { itemize } from "#app/domain/pricing/quote.ts";
import { methodLabel } from "#app/domain/reports/labels.ts";
import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { describeExceededLimit } from "#app/domain/sale/exceeded-limit.ts";
import { describePlan, type Payment, salePaymentOf } from "#app/domain/sale/payments.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card, Item } from "#app/ui/seller/card.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { StatusBadge } from "#app/ui/seller/status-badge.tsx";

const KINDS = { product: null, bump: "Order bump", offer: "Upsell" } as const;

/** What was bought and how it was paid. */
export function SaleInfo({ view: { sale, lines, paymentSummary } }: { view: SaleView }) {
  const counting = salePaymentOf(paymentSummary.payments);
  return (
    <Card title="Informações da Venda" action={<StatusBadge status={sale.status} />}>
      {sale.exceeded && <Alert tone="warning" live={false} text={describeExceededLimit(sale.exceeded)} />}
      <ul className="mb-5 divide-y divide-base-300 rounded-field border border-base-300">
        {itemize({ lines, couponCode: sale.couponCode }).map(({ name, amount, line }) => (
          <li key={line?.id ?? name} className="flex items-start justify-between gap-4 px-4 py-2.5 text-sm">
            <span className="min-w-0 break-words">
              {name} {line && KINDS[line.kind] && <Badge tone="neutral">{KINDS[line.kind]}</Badge>}
            </span>
            <span className="whitespace-nowrap tabular-nums">{amount}</span>
          </li>
        ))}
        <li className="flex justify-between gap-4 bg-base-200/60 px-4 py-2.5 font-semibold text-sm">
          <span>Valor</span>
          <span className="whitespace-nowrap">{formatMoney(sale.amountCents)}</span>
        </li>
        <MoneyLines paymentSummary={paymentSummary} isDisputed={sale.status === "disputed"} />
      </ul>
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <Item label="Produto">{sale.productName}</Item>
        <Item label="Conteúdo">
          <a
            href={paths.productContent(sale.productId)}
            className="link inline-flex min-h-11 items-center sm:min-h-0"
          >
            O que recebe quem compra
          </a>
        </Item>
        {sale.offerName !== null && <Item label="Oferta">{sale.offerName}</Item>}
        <Item label="Método de pagamento">
          {methodLabel(sale.paymentMethod)}
          {counting?.card && ` em ${describePlan(counting.card)}`}
        </Item>
        <Item label="ID da transação">
          {sale.transactionId ? (
            <span className="flex items-center gap-1">
              <span className="min-w-0 break-all font-mono text-xs">{sale.transactionId}</span>
              <CopyButton text={sale.transactionId} label="Copiar ID da transação" iconOnly />
            </span>
          ) : (
            "N/A"
          )}
        </Item>
        <Item label="Link do produto">
          {sale.productFileUrl ? (
            <a
              href={sale.productFileUrl}
              target="_blank"
              rel="noreferrer"
              className="link inline-flex min-h-11 items-center gap-1 sm:min-h-0"
            >
              Acessar
              <ExternalLink className="size-3.5" aria-hidden="true" />
              <span className="sr-only">(abre em outra aba)</span>
            </a>
          ) : (
            "N/A"
          )}
        </Item>
      </dl>
    </Card>
  );
}

/** A row for each amount received or deducted: they add up to the last one, which is no net while the bank decides. */
function MoneyLines({
  paymentSummary: { payments, money },
  isDisputed,
}: {
  paymentSummary: SaleView["paymentSummary"];
  isDisputed: boolean;
}) {
  const [first] = payments;
  const isPlain = payments.length === 1 && first?.kind === "counts";
  // Booked without a charge, it never has a fee.
  if (!first || (isPlain && first.chargeId === null && first.feeCents === null && first.refundedCents === 0))
    return null;
  const net = payments.some(isFeeAwaited) ? "Líquido (ainda sem a taxa)" : "Líquido";
  return (
    <>
      {payments.flatMap(rowsOf).map(({ key, label, cents }) => (
        <MoneyLine key={key} label={label} cents={cents} />
      ))}
      <MoneyLine
        label={money.countedCents > 0 && !isDisputed ? net : "Saldo desta venda"}
        cents={money.netCents}
        isSum
      />
    </>
  );
}

/** The provider states it later: in its statement, or never. Nothing is estimated in its place. */
function isFeeAwaited({ chargeId, feeCents }: Payment): boolean {
  return chargeId !== null && feeCents === null;
}

const KIND_LABELS = { counts: "", overpayment: " (em dobro)", "amount-mismatch": " (valor diferente)" };

function rowsOf(payment: Payment): { key: string; label: string; cents: number | null }[] {
  const { paidAt, refundedAt, kind, receivedCents, refundedCents, feeCents, refund } = payment;
  const at = formatDateTime(paidAt);
  const refundLabel = refund === "contested" ? "Contestado" : "Devolvido";
  const refundedText = refundedAt && refund !== "contested" ? ` em ${formatDateTime(refundedAt)}` : "";
  return [
    { label: `Recebido em ${at}${KIND_LABELS[kind]}`, cents: receivedCents },
    ...(refundedCents > 0
      ? [{ label: `${refundLabel}${refundedText}${KIND_LABELS[kind]}`, cents: -refundedCents }]
      : []),
    ...(feeCents !== null || isFeeAwaited(payment)
      ? [{ label: `Taxa do provedor${KIND_LABELS[kind]}`, cents: feeCents === null ? null : -feeCents }]
      : []),
  ].map((row) => ({ ...row, key: `${payment.chargeId} ${row.label}` }));
}

/** An amount; null where the provider has not stated it yet. */
function MoneyLine({ label, cents, isSum }: { label: string; cents: number | null; isSum?: boolean }) {
  return (
    <li className={`flex justify-between gap-4 px-4 py-2.5 text-sm ${isSum ? "font-semibold" : ""}`}>
      <span className={isSum ? "" : "text-base-content/70"}>{label}</span>
      <span className="whitespace-nowrap tabular-nums">
        {cents === null ? "ainda não informada" : formatMoney(cents)}
      </span>
    </li>
  );
}
