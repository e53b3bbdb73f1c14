import type { MailData } from "#app/db/schema/mail-data.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { type PixMailText, renderPendingPixMail } from "#app/domain/sale/mails/render-pix-mail.server.ts";
import { escapeHtml } from "#app/kit/html.ts";

/** To the buyer: a reminder of an unpaid order, with the PIX and an unsubscribe link. */
export function renderReminderMail(sale: MailedSale, { number, ...pix }: MailData["reminder"]): WrittenMail {
  const stopUrl = stopRemindersUrl(sale.id, sale.recipient);
  return {
    ...renderPendingPixMail(sale, pix, reminderText(number, sale.lines[0]?.name ?? "seu pedido", stopUrl)),
    headers: { "List-Unsubscribe": `<${stopUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };
}

function reminderText(number: number, product: string, stopUrl: string): PixMailText {
  const name = `<strong>${escapeHtml(product)}</strong>`;
  const texts = [
    {
      subject: `Seu pedido de ${product} ainda está aqui`,
      title: "Seu PIX ainda não foi pago",
      lead: `O seu pedido de ${name} continua guardado. É só pagar o PIX para receber o acesso.`,
    },
    {
      subject: `Ainda dá tempo: ${product}`,
      title: "Seu pedido espera por você",
      lead: `Você pediu ${name} e o PIX ainda não foi pago. Geramos um código válido para você concluir agora.`,
    },
    {
      subject: `Último lembrete: ${product}`,
      title: "Este é o último lembrete",
      lead: `O seu pedido de ${name} ainda pode ser concluído. Depois deste e-mail não escrevemos mais sobre ele.`,
    },
  ];
  return {
    ...texts[Math.min(number, texts.length) - 1]!,
    footerHtml: `<p style="margin:0 0 8px;">Não quer mais lembretes? <a href="${escapeHtml(stopUrl)}" style="color:inherit;">Parar de receber lembretes</a></p>`,
  };
}
