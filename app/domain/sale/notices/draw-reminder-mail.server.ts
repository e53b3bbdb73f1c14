import type { MailFacts } from "#app/db/schema/mails.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { type PixMailWords, waitingMail } from "#app/domain/sale/notices/draw-pix-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { escapeHtml } from "#app/kit/html.ts";

/** To the buyer: a reminder of an unpaid order, with the PIX and the way to stop. */
export function drawReminderMail(sale: MailedSale, { number, ...pix }: MailFacts["reminder"]): WrittenMail {
  const stop = stopRemindersUrl(sale.id);
  return {
    ...waitingMail(sale, pix, wordsOf(number, sale.lines[0]?.name ?? "seu pedido", stop)),
    headers: { "List-Unsubscribe": `<${stop}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };
}

function wordsOf(number: number, product: string, stop: string): PixMailWords {
  const name = `<strong>${escapeHtml(product)}</strong>`;
  const words = [
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
    ...words[Math.min(number, words.length) - 1]!,
    footerHtml: `<p style="margin:0 0 8px;">Não quer mais lembretes? <a href="${escapeHtml(stop)}" style="color:inherit;">Parar de receber lembretes</a></p>`,
  };
}
