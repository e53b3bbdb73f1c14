import { eq, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { buyerSessions, erasures } from "#app/db/schema/buyers.server.ts";
import { renderMailLayout, renderParagraph } from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { log } from "#app/platform/log.server.ts";
import { requestId } from "#app/platform/request-id.server.ts";
import { ERASURES } from "#app/queue/names.ts";

/**
 * Records an erasure request of the owner of the mailbox `email`, confirms it there while the address is known, and ends all
 * portal links and sessions. Repeated or concurrent requests are one request and one mail.
 */
export async function requestErasure(email: string): Promise<void> {
  const id = await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(erasures)
      .values({ email, requestId: requestId() ?? null })
      .onConflictDoUpdate({
        target: erasures.email,
        set: { requestedAt: sql`now()`, scheduledAt: sql`now()` },
      })
      .returning({ id: erasures.id });
    await queueMail(tx, {
      kind: "erasure-asked",
      idempotencyKey: `erasure-asked/${row!.id}`,
      recipient: email,
      mail: { subject: "Recebemos o pedido para apagar os seus dados", html: renderConfirmation() },
    });
    await tx.delete(buyerSessions).where(eq(buyerSessions.email, email));
    await notify(tx, "due", ERASURES);
    return row!.id;
  });
  log.info({ erasureId: id }, "erasure requested by the buyer");
}

/** Without a name or a purchase. It is stored only until it was sent. */
function renderConfirmation(): string {
  return renderMailLayout({
    title: "Recebemos o seu pedido",
    preview: "O que sai, o que fica e por quê.",
    bodyHtml: [
      renderParagraph(
        "Você pediu, em Minhas compras, para apagar os dados das compras feitas com este e-mail. Nome, e-mail, telefone, CPF ou CNPJ, endereço do aparelho e o que foi digitado saem dos nossos registros.",
      ),
      renderParagraph(
        "Compras com um PIX aberto, um pagamento ou reembolso em andamento, uma contestação, uma pergunta ou um acesso ainda por encerrar esperam até que isso termine, por no máximo 30 dias depois do pedido. As que já foram pagas ainda aparecem em Minhas compras.",
      ),
      renderParagraph(
        "Ficam valores, datas, produtos, números das compras e dos pagamentos, sem o seu nome: a lei obriga quem vende a guardá-los.",
      ),
      renderParagraph(
        "Os downloads e o reembolso por aqui terminam. Quem vendeu pode ter cópias próprias, como notas fiscais: peça-as a quem vendeu.",
      ),
    ].join("\n"),
    footerHtml:
      "Sobre as compras que ainda esperam você pode receber outros e-mails; sobre as demais, este é o último. Não foi você? Alguém leu a sua caixa de entrada: troque a senha do seu e-mail.",
  });
}
