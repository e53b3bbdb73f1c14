import { eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import { describeRefusedCards, type RefusedCards } from "#app/domain/gateway/find-refused-cards.server.ts";
import { capitalizedName, nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { queueMail } from "#app/domain/mail/queue/queue-mail.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/**
 * Something at a provider that only its seller can mend. `refused-key`: of an account whose codes another one creates meanwhile;
 * `refused-cards`: see `findRefusedCards`.
 */
type Trouble = { topic: "refused-key" } | { topic: "refused-cards"; cards: RefusedCards };

/** Queues the mail about it to its seller: once a day at most for each key. It cannot be switched off. */
export async function queueGatewayTroubleMail(
  sellerId: string,
  { keyId, provider }: Pick<Gateway, "keyId" | "provider">,
  trouble: Trouble,
): Promise<void> {
  const [seller] = await db
    .select({ name: sellers.name, email: sellers.email })
    .from(sellers)
    .where(eq(sellers.id, sellerId));
  if (!seller) return;
  const { title, paragraphs } = describe(trouble, provider);
  await queueMail(db, {
    kind: "gateway-trouble",
    idempotencyKey: `gateway-trouble/${trouble.topic}/${keyId}/${dayOf(new Date())}`,
    recipient: seller.email,
    sellerId,
    mail: {
      subject: title,
      html: renderMailLayout({
        title,
        preview: paragraphs[0]!,
        bodyHtml: [
          renderParagraph(greeting(seller.name)),
          ...paragraphs.map((text) => renderParagraph(escapeHtml(text))),
          renderMailButton("Conferir a conexão", env.APP_URL + paths.settings("gateways")),
        ].join("\n"),
        footerHtml: "Você recebe este aviso no máximo uma vez por dia.",
      }),
    },
  });
}

/** As plain text. */
function describe(trouble: Trouble, provider: Provider): { title: string; paragraphs: string[] } {
  if (trouble.topic === "refused-cards") {
    const { title, about, todo } = describeRefusedCards(trouble.cards);
    return { title, paragraphs: [about, `${todo}.`] };
  }
  return {
    title: `${capitalizedName(provider)} recusou a sua chave`,
    paragraphs: [
      "Enquanto isso, outro provedor seu gera os códigos PIX: quem compra continua pagando por ele.",
      `Nenhum pagamento feito ${nameWithArticle(provider, "n")} é confirmado até a chave ser aceita. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook.`,
    ],
  };
}
