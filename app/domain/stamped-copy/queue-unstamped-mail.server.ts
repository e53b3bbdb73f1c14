import { and, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { STAMP_FAILURE_TEXTS } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import type { StampFailure } from "#app/kit/files/stamp-limits.ts";
import { escapeHtml } from "#app/kit/html.ts";

/** Notifies a seller, once per file, that buyers get it without the stamp. */
export function queueUnstampedMail(tx: Tx, fileId: string, failure: StampFailure): Promise<void> {
  return queueSellerMail(tx, fileId, {
    key: "unstamped-file",
    subject: "Entregue sem carimbo",
    title: "Um PDF seu é entregue sem carimbo",
    preview: "Quem compra recebe o arquivo, sem o nome nas páginas.",
    text: (name) =>
      `Não foi possível carimbar <strong>${name}</strong>, e quem compra não fica sem o que pagou: recebe o arquivo como você o enviou.`,
    reason: STAMP_FAILURE_TEXTS[failure],
    advice: "No conteúdo do produto você pode substituir o arquivo ou desligar o carimbo.",
  });
}

/** Notifies a seller, once per file, that a buyer has waited long for its stamp. */
export function queueDelayedCopyMail(tx: Tx, fileId: string): Promise<void> {
  return queueSellerMail(tx, fileId, {
    key: "waiting-stamp",
    subject: "Demora no carimbo",
    title: "Um comprador esperou pelo carimbo de um PDF seu",
    preview: "O arquivo é entregue quando a cópia carimbada estiver pronta.",
    text: (name) =>
      `Em ${formatDateTime(new Date())} um comprador já esperava mais de três minutos pelo carimbo de <strong>${name}</strong>. Quem espera vê que o arquivo está sendo preparado.`,
    reason:
      "O arquivo não é entregue sem carimbo por causa da demora: a cópia fica pronta assim que for possível.",
    advice: "Se preferir entregar sem carimbo, desligue o carimbo no conteúdo do produto.",
  });
}

/** `text` gets the file's name as HTML. */
type MailText = {
  key: string;
  subject: string;
  title: string;
  preview: string;
  text: (name: string) => string;
  reason: string;
  advice: string;
};

async function queueSellerMail(tx: Tx, fileId: string, mailText: MailText): Promise<void> {
  const [found] = await tx
    .select({ name: files.name, sellerId: files.sellerId, email: sellers.email })
    .from(files)
    .innerJoin(sellers, eq(sellers.id, files.sellerId))
    .innerJoin(contentItems, and(eq(contentItems.fileId, files.id), isNotNull(contentItems.stampedSince)))
    .where(eq(files.id, fileId))
    .limit(1);
  if (!found) return;
  const { name, sellerId, email } = found;
  await queueMail(tx, {
    kind: "unstamped-file",
    idempotencyKey: `${mailText.key}/${fileId}`,
    recipient: email,
    sellerId,
    mail: {
      subject: `${mailText.subject}: ${name}`,
      html: renderMailLayout({
        title: mailText.title,
        preview: mailText.preview,
        bodyHtml: [
          renderParagraph(mailText.text(escapeHtml(name))),
          renderParagraph(escapeHtml(mailText.reason)),
          renderParagraph(mailText.advice),
        ].join("\n"),
        footerHtml: "Você recebe este aviso porque ligou o carimbo deste arquivo.",
      }),
    },
  });
}
