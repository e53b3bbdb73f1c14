import { and, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { contentItems, files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { STAMP_FAILURE_WORDS } from "#app/domain/stamp/why-unstamped.ts";
import type { StampFailure } from "#app/kit/files/stamps.ts";
import { escapeHtml } from "#app/kit/html.ts";

/** Tells a seller, once for a file, that buyers get it without the stamp they asked for. */
export function tellUnstamped(tx: Tx, fileId: string, why: StampFailure): Promise<void> {
  return tell(tx, fileId, {
    key: "unstamped-file",
    subject: "Entregue sem carimbo",
    title: "Um PDF seu é entregue sem carimbo",
    preview: "Quem compra recebe o arquivo, sem o nome nas páginas.",
    text: (name) =>
      `Não foi possível carimbar <strong>${name}</strong>, e quem compra não fica sem o que pagou: recebe o arquivo como você o enviou.`,
    why: STAMP_FAILURE_WORDS[why],
    advice: "No conteúdo do produto você pode substituir o arquivo ou desligar o carimbo.",
  });
}

/** Tells a seller, once for a file, that a buyer has waited for its stamp for long. */
export function tellWaiting(tx: Tx, fileId: string): Promise<void> {
  return tell(tx, fileId, {
    key: "waiting-stamp",
    subject: "Carimbo demorando",
    title: "Um comprador espera pelo carimbo de um PDF seu",
    preview: "O arquivo é entregue quando a cópia carimbada estiver pronta.",
    text: (name) =>
      `O carimbo de <strong>${name}</strong> está demorando mais de três minutos. Quem comprou vê que o arquivo está sendo preparado.`,
    why: "O arquivo não é entregue sem carimbo por causa da demora: a cópia fica pronta assim que for possível.",
    advice: "Se preferir entregar sem carimbo, desligue o carimbo no conteúdo do produto.",
  });
}

/** `text` gets the file's name as HTML. */
type Said = {
  key: string;
  subject: string;
  title: string;
  preview: string;
  text: (name: string) => string;
  why: string;
  advice: string;
};

async function tell(tx: Tx, fileId: string, said: Said): Promise<void> {
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
    idempotencyKey: `${said.key}/${fileId}`,
    recipient: email,
    sellerId,
    mail: {
      subject: `${said.subject}: ${name}`,
      html: mailLayout({
        title: said.title,
        preview: said.preview,
        bodyHtml: [
          paragraph(said.text(escapeHtml(name))),
          paragraph(escapeHtml(said.why)),
          paragraph(said.advice),
        ].join("\n"),
        footerHtml: "Você recebe este aviso porque ligou o carimbo deste arquivo.",
      }),
    },
  });
}
