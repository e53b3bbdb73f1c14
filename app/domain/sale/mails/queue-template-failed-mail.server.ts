import { db } from "#app/db/client.server.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import type { MailedSale } from "#app/domain/sale/mails/read-mailed-sale.server.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Queues the seller's mail that their template could not be rendered. Once for each version of it. */
export async function queueTemplateFailedMail(sale: MailedSale): Promise<void> {
  await queueMail(db, {
    kind: "template-failed",
    idempotencyKey: `template-failed/${sale.sellerId}/${sale.templateSavedAt?.getTime() ?? 0}`,
    recipient: sale.sellerEmail,
    sellerId: sale.sellerId,
    mail: {
      subject: "O seu modelo de e-mail não pôde ser usado",
      html: renderMailLayout({
        title: "O seu modelo de e-mail não pôde ser usado",
        preview: "Os compradores recebem o nosso modelo até você corrigir o seu.",
        bodyHtml: [
          renderParagraph(
            "Com os dados de uma venda, o seu modelo fica grande demais para ser enviado ou perde o link da compra. Para que ninguém fique sem o acesso, o comprador recebeu o nosso modelo padrão.",
          ),
          renderParagraph(
            "Enquanto o seu modelo não mudar, é assim que os e-mails saem. Confira se uma variável não está repetida muitas vezes e se todas as tags e aspas estão fechadas (no texto, o sinal &lt; se escreve &amp;lt;), olhe a prévia e salve de novo.",
          ),
          renderMailButton("Abrir o modelo", env.APP_URL + paths.emailSettings()),
        ].join("\n"),
        footerHtml: "Você recebe este aviso uma vez a cada versão do seu modelo.",
      }),
    },
  });
}
