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
export async function tellUnstamped(tx: Tx, fileId: string, why: StampFailure | "late"): Promise<void> {
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
    idempotencyKey: `unstamped-file/${fileId}`,
    recipient: email,
    sellerId,
    mail: {
      subject: `Entregue sem carimbo: ${name}`,
      html: mailLayout({
        title: "Um PDF seu é entregue sem carimbo",
        preview: "Quem compra recebe o arquivo, sem o nome nas páginas.",
        bodyHtml: [
          paragraph(
            `Não foi possível carimbar <strong>${escapeHtml(name)}</strong>, e quem compra não fica sem o que pagou: recebe o arquivo como você o enviou.`,
          ),
          paragraph(escapeHtml(why === "late" ? LATE : STAMP_FAILURE_WORDS[why])),
          paragraph("No conteúdo do produto você pode substituir o arquivo ou desligar o carimbo."),
        ].join("\n"),
        footerHtml: "Você recebe este aviso porque ligou o carimbo deste arquivo.",
      }),
    },
  });
}

const LATE =
  "O carimbo demorou mais de três minutos. Quem comprar depois recebe a cópia carimbada, se ela estiver pronta.";
