import { and, eq, isNull } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { files } from "#app/db/schema/files.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { log } from "#app/platform/log.server.ts";

/** Marks a file of a purchase as missing and notifies its seller, once each time. */
export async function reportMissingFile(fileId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [file] = await tx
      .update(files)
      .set({ missingAt: new Date() })
      .where(and(eq(files.id, fileId), isNull(files.missingAt)))
      .returning();
    if (!file) return;
    log.error({ file: fileId }, "a file is gone from where it was kept");
    const [seller] = await tx
      .select({ email: sellers.email })
      .from(sellers)
      .where(eq(sellers.id, file.sellerId));
    if (!seller) return;
    await queueMail(tx, {
      kind: "missing-file",
      idempotencyKey: `missing-file/${fileId}/${file.missingAt!.getTime()}`,
      recipient: seller.email,
      sellerId: file.sellerId,
      mail: {
        subject: `Um arquivo seu sumiu: ${file.name}`,
        html: renderMailLayout({
          title: "Um arquivo seu sumiu",
          preview: "Um comprador tentou baixá-lo e não conseguiu.",
          bodyHtml: [
            renderParagraph(
              `O arquivo <strong>${escapeHtml(file.name)}</strong> não está mais onde foi guardado.`,
            ),
            renderParagraph("Envie-o de novo no conteúdo do produto: quem já comprou recebe o arquivo novo."),
          ].join("\n"),
          footerHtml: "Você recebe este aviso porque vende este arquivo.",
        }),
      },
    });
  });
}

/** Marks the file as found, for the seller's screen; if it goes missing again, the seller is notified again. */
export async function markFileFound(fileId: string): Promise<void> {
  await db.update(files).set({ missingAt: null }).where(eq(files.id, fileId));
}
