import type { MailData, PendingPix } from "#app/db/schema/mail-data.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { validUntil } from "#app/domain/mail/message/valid-until.ts";
import type { WrittenMail } from "#app/domain/mail/queue/freeze-mail.server.ts";
import {
  buildMailValues,
  chooseSaleSender,
  renderSaleLines,
} from "#app/domain/sale/mails/mail-values.server.ts";
import type { MailedSale, OwnedPurchase } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { buildPaymentUrl, buildPurchaseUrl } from "#app/domain/sale/purchase-key.server.ts";
import { formatDate } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { renderQrPng } from "#app/platform/render-qr-png.server.ts";

/** What differs between the first mail and the reminders. */
export type PixMailText = {
  subject: string;
  title: string;
  lead: string;
  /** An earlier purchase of the same product. */
  owned?: OwnedPurchase | null;
  footerHtml?: string;
};

/** To the buyer: the first PIX of their order. */
export function renderPixMail(sale: MailedSale, pix: MailData["pix"]): WrittenMail {
  const product = sale.lines[0]?.name ?? "seu pedido";
  return renderPendingPixMail(sale, pix, {
    subject: `Seu PIX para ${product} está esperando`,
    title: "Falta só o pagamento",
    lead: `O seu pedido de <strong>${escapeHtml(product)}</strong> está guardado. Assim que o PIX for pago, o acesso chega neste e-mail.`,
    // Where the order's e-mail was changed since, the earlier purchase belongs to somebody else.
    owned: sale.recipient === sale.customerEmail ? sale.owned : null,
  });
}

/** To the buyer: the code to copy, the QR code for another screen, and a link to the order. */
export function renderPendingPixMail(sale: MailedSale, pix: PendingPix, text: PixMailText): WrittenMail {
  const values = buildMailValues(sale, sale.createdAt);
  const until = pix.expiresAt
    ? ` Este código ${validUntil(new Date(pix.expiresAt))}; depois, gere outro pelo botão acima.`
    : "";
  return {
    ...chooseSaleSender(sale, values),
    subject: text.subject,
    html: renderMailLayout({
      title: text.title,
      preview: `${values.amount_formatted} por PIX`,
      bodyHtml: [
        renderParagraph(`${greeting(sale.customerName)} ${text.lead}`),
        text.owned ? renderOwnedPurchase(text.owned, sale.recipient) : "",
        renderSaleLines(sale),
        renderMailButton("Pagar com PIX", buildPaymentUrl(sale, sale.recipient)),
        renderParagraph(
          `Ou copie o código abaixo e cole no aplicativo do seu banco, em PIX copia e cola.${until}`,
        ),
        renderCodeBox(pix.pixCode),
        renderParagraph("Está lendo no computador? Aponte a câmera do celular para o QR Code:"),
        `<p style="margin:0 0 8px;"><img src="cid:pix" width="200" height="200" alt="QR Code do PIX" style="display:block;border:8px solid #ffffff;background-color:#ffffff;"></p>`,
      ].join("\n"),
      footerHtml: [
        text.footerHtml ?? "",
        `<p style="margin:0 0 8px;">Pedido feito com ${escapeHtml(sale.brandName)}. Já pagou? Então é só aguardar: o acesso chega por e-mail. Não foi você? Ignore este e-mail: nada é cobrado.</p>`,
        pix.notice ? `<p style="margin:0;">${escapeHtml(pix.notice)}</p>` : "",
      ].join("\n"),
    }),
    attachments: [
      {
        filename: "pix.png",
        contentType: "image/png",
        contentId: "pix",
        content: renderQrPng(pix.pixCode).toString("base64"),
      },
    ],
  };
}

/** Shown in the mail and on no page: the person who ordered with this address may be somebody else. */
function renderOwnedPurchase({ saleId, completedAt }: OwnedPurchase, recipient: string): string {
  return (
    renderParagraph(
      `<strong>Você já tem este produto</strong>, comprado em ${formatDate(completedAt)}. Para abrir o que comprou não é preciso pagar de novo.`,
    ) + renderMailButton("Acessar minha compra", buildPurchaseUrl({ id: saleId }, recipient))
  );
}

/** Breaks the code anywhere, so that no phone scrolls sideways. */
function renderCodeBox(code: string): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;table-layout:fixed;"><tr>
<td class="codigo" style="padding:12px;border:1px solid #c9cfda;border-radius:8px;background-color:#f3f4f7;color:#1d2330;font-family:Consolas,Menlo,monospace;font-size:13px;line-height:20px;word-break:break-all;">${escapeHtml(code)}</td>
</tr></table>`;
}
