import type { MailData } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import {
  buildMailValues,
  chooseSaleSender,
  renderSaleLines,
} from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { renderSellerMail } from "#app/domain/sale/mails/render-seller-mail.server.ts";
import { formatMoment } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { shortNumber } from "#app/kit/uuid.ts";

const ACCESS_SETTING_HINT =
  "Para mudar isso nas próximas contestações, veja Configurações › Gateways › Contestações.";

/** To the seller: the payer's bank contests a payment, or has decided. */
export function renderDisputeMail(sale: MailedSale, data: MailData["dispute"]): WrittenMail {
  const amount = formatMoney(data.amountCents);
  const button = { label: "Abrir a venda", page: paths.sale(sale.id) };
  const { text, advice } = openedTexts(data);
  const reason = "Você recebe este aviso porque um pagamento da sua loja foi contestado.";
  if (data.isRefundedBefore)
    return renderSellerMail(sale, {
      subject: `${data.what === "lost" ? "Contestação aceita de um pagamento já devolvido" : "Pagamento contestado depois de devolvido"}: ${amount}`,
      title: "Um pagamento já devolvido foi contestado",
      preview: `${amount} ${data.what === "lost" ? "podem ter saído" : "podem sair"} duas vezes da sua conta.`,
      paragraphs: [
        `O pagamento de <strong>${amount}</strong> desta venda, que já estava devolvido, foi contestado ${text}.`,
        data.what === "lost"
          ? "A contestação foi aceita, e o valor saiu da sua conta no provedor: pode ter voltado duas vezes a quem pagou. Mostre ao provedor o comprovante da devolução, ou combine com o comprador. Aqui a venda continua como está."
          : "Mostre logo ao provedor o comprovante da devolução: se a contestação for aceita, o valor sai da sua conta mais uma vez.",
      ],
      button,
      reason,
    });
  switch (data.what) {
    case "opened":
      return renderSellerMail(sale, {
        subject: `Pagamento contestado: ${amount}`,
        title: "Um pagamento foi contestado",
        preview: `O banco do pagador contesta ${amount}.`,
        paragraphs: [
          `O pagamento de <strong>${amount}</strong> desta venda foi contestado ${text}. O valor pode ficar bloqueado no seu provedor até a decisão.`,
          advice,
          data.suspends
            ? `O acesso do comprador está suspenso até a decisão. ${ACCESS_SETTING_HINT}`
            : `O comprador continua com o acesso até a decisão. ${ACCESS_SETTING_HINT}`,
        ],
        button,
        reason,
      });
    case "won":
      return renderSellerMail(sale, {
        subject: `Contestação recusada: ${amount}`,
        title: "A contestação foi recusada",
        preview: `A venda de ${amount} volta a valer.`,
        paragraphs: [
          `A contestação do pagamento de <strong>${amount}</strong> terminou, e a venda voltou a valer.`,
          ...(data.suspends ? ["O acesso do comprador foi liberado de novo."] : []),
        ],
        button,
        reason,
      });
    case "lost":
      return renderSellerMail(sale, {
        subject: `Contestação aceita: ${amount} devolvidos`,
        title: "A contestação foi aceita",
        preview: `${amount} voltaram a quem pagou.`,
        paragraphs: [
          `A contestação do pagamento de <strong>${amount}</strong> foi aceita, e o valor saiu da sua conta no provedor. O acesso do comprador terminou.`,
        ],
        button,
        reason,
      });
  }
}

/** How a payment was contested, and what the seller can do now. */
function openedTexts({ isCard, evidence, evidenceDueAt }: MailData["dispute"]) {
  if (!isCard)
    return {
      text: "no banco de quem pagou (MED, no caso do PIX)",
      advice:
        "Responda logo ao provedor, com os comprovantes da entrega: e-mails, acessos e downloads estão no histórico da venda. O banco de quem recebeu costuma ter 7 dias para analisar.",
    };
  const text = "no banco do cartão (chargeback)";
  const due = evidenceDueAt ? new Date(evidenceDueAt) : null;
  const moment = due && `<strong>${formatMoment(due)}</strong>`;
  const until = moment ? ` até ${moment}` : " logo";
  if (evidence === "needed" && due && due <= new Date())
    return {
      text,
      advice: `O prazo para enviar os comprovantes terminou em ${moment}. Se você não os enviou, pergunte ao provedor se ele ainda os aceita.`,
    };
  if (evidence === "needed")
    return {
      text,
      advice: `Envie os comprovantes${until}. Na página da venda você baixa um PDF com o que a loja registrou, confere e envia ao provedor com um botão.`,
    };
  return {
    text,
    advice:
      evidence === "not_needed"
        ? "O provedor não pede comprovantes por enquanto. A decisão aparece na venda sozinha."
        : "Veja na página da venda se o provedor pede comprovantes, e até quando.",
  };
}

/** To the buyer: how a dispute affects access to their purchase. */
export function renderDisputeAccessMail(
  sale: MailedSale,
  { what, amountCents, isRecorded = false }: MailData["dispute-access"],
): WrittenMail {
  const values = buildMailValues(sale, sale.completedAt ?? sale.createdAt);
  const product = escapeHtml(values.product_name);
  const amount = formatMoney(amountCents);
  const shop = escapeHtml(sale.brandName);
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
    restored: {
      subject: `Acesso liberado: ${values.product_name}`,
      title: "Acesso liberado de novo",
      text: `${shop} liberou de novo o seu acesso à compra de ${product}, antes da decisão do banco sobre a contestação do pagamento. Se o banco devolver o valor, o acesso termina.`,
    },
    lost: {
      subject: `Compra encerrada: ${values.product_name}`,
      title: isRecorded ? "Contestação informada" : "Pagamento devolvido",
      text: isRecorded
        ? `${shop} informou que o pagamento da sua compra de ${product} foi contestado, e que o banco devolveu <strong>${amount}</strong> a quem pagou. O acesso ao conteúdo terminou. Se o valor não chegou, fale com ${shop}.`
        : `A contestação do pagamento da sua compra de ${product} foi aceita: <strong>${amount}</strong> voltam a quem pagou, e o acesso ao conteúdo terminou.`,
    },
  }[what];
  return {
    ...chooseSaleSender(sale, values),
    subject,
    html: renderMailLayout({
      title,
      preview: `Compra de ${values.product_name}`,
      bodyHtml: [
        renderParagraph(`${greeting(sale.customerName)} ${text}`),
        renderSaleLines(sale),
        ...(what === "won" || what === "restored"
          ? [renderMailButton("Acessar a compra", values.product_file_url)]
          : []),
        renderParagraph("Não reconhece esta contestação ou ficou com dúvida? Responda a este e-mail."),
      ].join("\n"),
      footerHtml: `Compra de ${values.purchase_date} com ${shop}.<br>Número da compra: ${shortNumber(sale.id)}`,
    }),
  };
}
