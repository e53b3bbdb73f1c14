import type { MailFacts } from "#app/db/schema/mails.server.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { linesTable } from "#app/domain/mail/message/lines-table.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import { mailValues, senderOf } from "#app/domain/sale/notices/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/notices/read-mailed-sale.server.ts";
import { sellerNotice } from "#app/domain/sale/notices/seller-notice.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";

const CHOICE =
  "Para mudar isso nas próximas contestações, veja Configurações, Pagamentos, Contestações (MED).";

/** To the seller: the payer's bank contests a payment, or has decided. */
export function drawDisputeMail(sale: MailedSale, facts: MailFacts["dispute"]): WrittenMail {
  const amount = formatMoney(facts.amountCents);
  const button = { label: "Abrir a venda", page: paths.sale(sale.id) };
  const why = "Você recebe este aviso porque um pagamento da sua loja foi contestado.";
  switch (facts.what) {
    case "opened":
      return sellerNotice(sale, {
        subject: `Pagamento contestado: ${amount}`,
        title: "Um pagamento foi contestado",
        preview: `O banco do pagador contesta ${amount}.`,
        paragraphs: [
          `O pagamento de <strong>${amount}</strong> desta venda foi contestado no banco de quem pagou (MED, no caso do PIX). O valor pode ficar bloqueado no seu provedor até a decisão.`,
          "Responda logo ao provedor, com os comprovantes da entrega: e-mails, acessos e downloads estão no histórico da venda. O banco de quem recebeu costuma ter 7 dias para analisar.",
          facts.suspends
            ? `O acesso do comprador está suspenso até a decisão. ${CHOICE}`
            : `O comprador continua com o acesso até a decisão. ${CHOICE}`,
        ],
        button,
        why,
      });
    case "won":
      return sellerNotice(sale, {
        subject: `Contestação recusada: ${amount}`,
        title: "A contestação foi recusada",
        preview: `A venda de ${amount} volta a valer.`,
        paragraphs: [
          `A contestação do pagamento de <strong>${amount}</strong> terminou, e a venda voltou a valer.`,
          ...(facts.suspends ? ["O acesso do comprador foi liberado de novo."] : []),
        ],
        button,
        why,
      });
    case "lost":
      return sellerNotice(sale, {
        subject: `Contestação aceita: ${amount} devolvidos`,
        title: "A contestação foi aceita",
        preview: `${amount} voltaram a quem pagou.`,
        paragraphs: [
          `A contestação do pagamento de <strong>${amount}</strong> foi aceita, e o valor saiu da sua conta no provedor. O acesso do comprador terminou.`,
        ],
        button,
        why,
      });
  }
}

/** To the buyer: what a contested payment means for what they bought. */
export function drawDisputeAccessMail(
  sale: MailedSale,
  { what, amountCents }: MailFacts["dispute-access"],
): WrittenMail {
  const values = mailValues(sale, sale.completedAt ?? sale.createdAt);
  const product = escapeHtml(values.product_name);
  const amount = formatMoney(amountCents);
  const { subject, title, text } = {
    opened: {
      subject: `Pagamento contestado: ${values.product_name}`,
      title: "Acesso suspenso",
      text: `O pagamento da sua compra de ${product} foi contestado no banco de quem pagou. Enquanto o banco não decide, o acesso está suspenso.`,
    },
    won: {
      subject: `Acesso liberado: ${values.product_name}`,
      title: "Acesso liberado de novo",
      text: `A contestação do pagamento da sua compra de ${product} terminou, e o acesso está liberado de novo.`,
    },
    lost: {
      subject: `Compra encerrada: ${values.product_name}`,
      title: "Pagamento devolvido",
      text: `A contestação do pagamento da sua compra de ${product} foi aceita: <strong>${amount}</strong> voltam à conta que pagou, e o acesso ao conteúdo terminou.`,
    },
  }[what];
  return {
    ...senderOf(sale, values),
    subject,
    html: mailLayout({
      title,
      preview: `Compra de ${values.product_name}`,
      bodyHtml: [
        paragraph(`${greeting(sale.customerName)} ${text}`),
        linesTable(sale.lines, sale.amountCents),
        ...(what === "won" ? [mailButton("Acessar a compra", values.product_file_url)] : []),
        paragraph("Não reconhece esta contestação ou ficou com dúvida? Responda a este e-mail."),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${escapeHtml(sale.brandName)}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}
