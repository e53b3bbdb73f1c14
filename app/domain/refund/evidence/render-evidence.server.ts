import { BUYER_MAIL_NAMES } from "#app/domain/access/mail-state.ts";
import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { itemize } from "#app/domain/pricing/quote.ts";
import type { Evidence } from "#app/domain/refund/evidence/read-evidence.server.ts";
import { describePlan } from "#app/domain/sale/payments.ts";
import {
  formatStoreAddress,
  formatStoreContact,
  formatStoreTaxId,
} from "#app/domain/storefront/store/format-store.ts";
import { formatMoment } from "#app/kit/dates.ts";
import { formatDocument } from "#app/kit/documents.ts";
import { formatMoney } from "#app/kit/money.ts";
import { formatPhone } from "#app/kit/phone.ts";
import { pick } from "#app/kit/pick.ts";
import type { PagePart } from "#app/platform/pdf/page-layout.server.ts";
import { renderPagesPdf } from "#app/platform/pdf/render-pages.server.ts";

const DEVICES = { phone: "Celular", computer: "Computador" };

/** What is recorded of a sale as a PDF for the bank that decides a dispute. What was not recorded is not in it. */
export function renderEvidence(evidence: Evidence, now = new Date()): Promise<Uint8Array<ArrayBuffer>> {
  const { id, store, sellerName, amountCents, refundedCents } = evidence;
  const rows = itemize(evidence).map(
    ({ name, amount }): PagePart => ({ kind: "amount", label: name, value: amount }),
  );
  return renderPagesPdf(`Comprovantes da venda ${id}`, [
    { kind: "heading", text: "Comprovantes da venda" },
    {
      kind: "note",
      text: `Registros da loja sobre esta venda, gerados em ${formatMoment(now)}. Horários de Brasília.`,
    },
    ...facts([
      ["Número da venda", id],
      ["Vendido por", store ? `${store.legalName}, ${formatStoreTaxId(store)}` : sellerName],
      ["Endereço", store && formatStoreAddress(store)],
      ["Contato", store && formatStoreContact(store)],
    ]),
    { kind: "heading", text: "Pedido" },
    ...rows,
    { kind: "amount", label: "Total", value: formatMoney(amountCents), isTotal: true },
    ...facts([
      ["Pedido em", formatMoment(evidence.orderedAt)],
      ["Pagamento confirmado em", evidence.paidAt && formatMoment(evidence.paidAt)],
      ["Forma de pagamento", describePayment(evidence)],
      ["Pagamento no provedor", describeProvider(evidence)],
      [
        "Devolvido antes",
        refundedCents > 0 && evidence.status !== "chargedback" && formatMoney(refundedCents),
      ],
      ["Garantia prometida", evidence.guaranteeDays !== null && `${evidence.guaranteeDays} dias`],
    ]),
    { kind: "heading", text: "Comprador, como preencheu o pedido" },
    ...facts([
      ["Nome", evidence.customerName],
      ["E-mail", evidence.customerEmail],
      ["E-mail corrigido em", evidence.emailCorrectedAt && formatMoment(evidence.emailCorrectedAt)],
      ["Telefone", evidence.customerPhone && formatPhone(evidence.customerPhone)],
      ["CPF ou CNPJ", evidence.document && formatDocument(evidence.document)],
      ["Endereço IP do aparelho", evidence.customerIp],
      ["Aparelho", evidence.device && DEVICES[evidence.device]],
    ]),
    ...section("E-mails enviados ao comprador", evidence.mails.map(describeMail)),
    ...section(
      "Acesso em áreas de membros",
      evidence.memberAccess.map(({ at, name, event }) => [
        formatMoment(at),
        `${event === "access.granted" ? "Acesso aberto" : "Acesso encerrado"} em ${name}`,
      ]),
    ),
    ...section(
      "Downloads do comprador",
      evidence.downloads.map(({ at, name }) => [formatMoment(at), name]),
    ),
  ]);
}

function describePayment({ instalments, buyerCents, amountCents }: Evidence): string {
  if (instalments === null) return "PIX";
  return `Cartão de crédito em ${describePlan({ instalments, buyerCents: buyerCents ?? amountCents })}`;
}

function describeProvider({ provider, providerId }: Evidence): string | null {
  return providerId && `${pick(providers, provider)?.label ?? provider}, ${providerId}`;
}

function describeMail({ kind, recipient, sentAt, deliveredAt, bouncedAt }: Evidence["mails"][number]): Fact {
  const outcome = bouncedAt
    ? `, devolvido em ${formatMoment(bouncedAt)}`
    : deliveredAt
      ? `, entregue em ${formatMoment(deliveredAt)}`
      : "";
  return [
    formatMoment(sentAt),
    `${BUYER_MAIL_NAMES[kind]} para ${recipient || "um endereço apagado"}: enviado${outcome}`,
  ];
}

type Fact = [label: string, value: string | null | false | undefined];

function facts(all: Fact[]): PagePart[] {
  return all.flatMap(([label, value]): PagePart[] => (value ? [{ kind: "fact", label, value }] : []));
}

/** Nothing where there are no rows. */
function section(heading: string, rows: Fact[]): PagePart[] {
  return rows.length > 0 ? [{ kind: "heading", text: heading }, ...facts(rows)] : [];
}
