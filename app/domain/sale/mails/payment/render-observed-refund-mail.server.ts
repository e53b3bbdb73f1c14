import type { ObservedRefundData } from "#app/db/schema/mail-data.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";

const ACCESS_TEXTS: Record<ObservedRefundData["access"], string> = {
  ended: "O valor todo voltou: a venda está reembolsada, e o acesso do comprador terminou.",
  "part-returned": "É uma parte do valor: o acesso do comprador não muda.",
  "never-given": "Soubemos do pagamento e da devolução ao mesmo tempo: o comprador não recebeu o acesso.",
  "not-counted":
    "Era um pagamento em dobro ou de outro valor, que não vale para a venda: o acesso do comprador não muda.",
};

/**
 * What is still held may go back before the mail is read. The provider does not say which of two equal payments counts, and the
 * other one may have been meant.
 */
function describeHeld(held: string): string {
  return `Era o pagamento que valia para a venda: ela está reembolsada, e o acesso do comprador terminou. Do que chegou além dele, ${held} ainda estavam com você: se não os devolveu desde então, devolva-os também. Se queria devolver só o que chegou a mais, combine com o comprador.`;
}

/** To the seller: a refund was found at the provider that was not requested here. */
export function renderObservedRefundMail(
  sale: MailedSale,
  { amountCents, access, heldCents }: ObservedRefundData,
): WrittenMail {
  const amount = formatMoney(amountCents);
  return renderSellerMail(sale, {
    subject: `Devolvido no provedor: ${amount}`,
    title: "Uma devolução foi feita no provedor",
    preview: `${amount} voltaram a quem pagou.`,
    paragraphs: [
      `Ao conferir esta venda no provedor de pagamento, vimos que <strong>${amount}</strong> voltaram a quem pagou. Esta devolução não foi pedida por aqui: foi feita no provedor.`,
      heldCents ? describeHeld(formatMoney(heldCents)) : ACCESS_TEXTS[access],
    ],
    advice: "Não foi você? Fale com o provedor de pagamento.",
    button: { label: "Abrir a venda", page: paths.sale(sale.id) },
    reason: "Você recebe este aviso porque o valor saiu da sua conta no provedor.",
  });
}
