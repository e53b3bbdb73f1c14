import type { MailFacts } from "#app/db/schema/mails.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import { mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { mailValues, senderOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { shortNumber } from "#app/kit/uuid.ts";

type Facts = MailFacts["payment-news"];
type Words = { subject: string; lines: string[] };

/** To the buyer: a payment came that does not count, or money went back without ending the purchase. Says the day of each. */
export function drawPaymentNewsMail(sale: MailedSale, facts: Facts): WrittenMail {
  const values = mailValues(sale, sale.completedAt ?? sale.createdAt);
  const { subject, lines } = wordsOf(sale, facts, values.product_name);
  return {
    ...senderOf(sale, values),
    subject,
    html: mailLayout({
      title: subject,
      preview: subject,
      bodyHtml: [
        greeting(sale.customerName),
        ...lines,
        "Ficou com dúvida? Responda a este e-mail para falar com quem vendeu.",
      ]
        .map(paragraph)
        .join("\n"),
      footerHtml: `Pedido de ${values.purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}

function wordsOf(sale: MailedSale, facts: Facts, productName: string): Words {
  const [amount, at] = [`<strong>${formatMoney(facts.amountCents)}</strong>`, formatDate(new Date(facts.at))];
  const [product, seller] = [`<strong>${escapeHtml(productName)}</strong>`, escapeHtml(sale.brandName)];
  switch (facts.what) {
    case "overpaid":
      return {
        subject: `Recebemos um pagamento em dobro: ${formatMoney(facts.amountCents)}`,
        lines: [
          `Em ${at} chegou mais um PIX seu de ${amount} para ${product}, que já estava pago. Só o primeiro pagamento vale pela compra.`,
          `Avisamos ${seller}, que deve devolver este valor. Você recebe um e-mail quando ele for devolvido.`,
        ],
      };
    case "mismatched":
      return {
        subject: `Recebemos um PIX de outro valor: ${formatMoney(facts.amountCents)}`,
        lines: [
          `Em ${at} chegou um PIX seu de ${amount} para o pedido de ${product}, de ${formatMoney(sale.amountCents)}. Como o valor é outro, ele não vale como pagamento do pedido.`,
          `Avisamos ${seller}, que devolve o valor ou combina com você. Você recebe um e-mail quando ele for devolvido.`,
        ],
      };
    case "returned":
      return {
        subject: `Pagamento devolvido: ${formatMoney(facts.amountCents)}`,
        lines: [
          `${returned(facts, seller, amount, at)} ${whatWentBack(facts)} que chegou em ${formatDate(new Date(facts.paidAt))} para ${product}.`,
          ...(facts.leftCents > 0 ? [`Ainda faltam ${formatMoney(facts.leftCents)} deste pagamento.`] : []),
        ],
      };
    case "part-returned":
      return {
        subject: `Parte da sua compra foi devolvida: ${formatMoney(facts.amountCents)}`,
        lines: [
          `${returned(facts, seller, amount, at)} O valor é parte do que você pagou por ${product}. Seu acesso continua.`,
        ],
      };
  }
}

/** The last of a payment is not a part of it any more. */
function whatWentBack({ isMismatch, leftCents }: Extract<Facts, { what: "returned" }>): string {
  const part = leftCents > 0 ? "Faz parte do" : "Com isso, voltou por inteiro o";
  return `${part} ${isMismatch ? "PIX de outro valor" : "pagamento em dobro"}`;
}

/** What the provider confirmed is said as done; what a seller noted, as theirs. */
function returned(
  { isRecorded }: { isRecorded: boolean },
  seller: string,
  amount: string,
  at: string,
): string {
  return isRecorded
    ? `${seller} informou em ${at} que devolveu ${amount} a você.`
    : `Em ${at} foram devolvidos ${amount} à conta que pagou.`;
}
