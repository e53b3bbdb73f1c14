import type { Gateway } from "#app/domain/gateway/find-gateway.server.ts";
import { describeRefusedCards, type RefusedCards } from "#app/domain/gateway/find-refused-cards.server.ts";
import { capitalizedName, nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { Provider } from "#app/domain/gateway/providers/port.ts";
import { queueDailyMail } from "#app/domain/mail/queue/queue-daily-mail.server.ts";
import { escapeHtml } from "#app/kit/html.ts";
import { paths } from "#app/kit/paths.ts";

/**
 * Something at a provider that only its seller can mend. `refused-key`: of an account whose codes another one creates meanwhile;
 * `refused-cards`: see `findRefusedCards`; `secret-public-key`: see `withdrawPublicKeys`.
 */
type Trouble =
  | { topic: "refused-key" | "secret-public-key" }
  | { topic: "refused-cards"; cards: RefusedCards };

/** Queues the mail about it to its seller: once a day at most for each key. It cannot be switched off. */
export function queueGatewayTroubleMail(
  sellerId: string,
  { keyId, provider }: Pick<Gateway, "keyId" | "provider">,
  trouble: Trouble,
): Promise<void> {
  const { title, paragraphs } = describe(trouble, provider);
  return queueDailyMail(sellerId, {
    kind: "gateway-trouble",
    about: `${trouble.topic}/${keyId}`,
    title,
    preview: paragraphs[0]!,
    paragraphs: paragraphs.map(escapeHtml),
    button: "Conferir a conexão",
    path: paths.settings("gateways"),
  });
}

/** As plain text. */
function describe(trouble: Trouble, provider: Provider): { title: string; paragraphs: string[] } {
  if (trouble.topic === "refused-cards") {
    const { title, about, todo } = describeRefusedCards(trouble.cards);
    return { title, paragraphs: [about, `${todo}.`] };
  }
  if (trouble.topic === "secret-public-key") {
    const [secret, open] = (["apiKey", "publicKey"] as const).map(
      (stored) => provider.form.keys.find(({ storedAs }) => storedAs === stored)!.label,
    );
    const title = `Uma chave secreta estava no campo ${open}`;
    return {
      title,
      paragraphs: [
        `${title} da sua conta ${nameWithArticle(provider, "n")}. O que está nele vai para o navegador de quem compra com cartão, que pôde ler a chave.`,
        `Apagamos a chave desse campo e desligamos o cartão; o PIX continua. Gere uma nova ${secret} no painel do provedor, para que a antiga deixe de valer, e salve as duas: a nova ${secret} e a ${open} certa.`,
      ],
    };
  }
  return {
    title: `${capitalizedName(provider)} recusou a sua chave`,
    paragraphs: [
      "Enquanto isso, outro provedor seu gera os códigos PIX: quem compra continua pagando por ele.",
      `Nenhum pagamento feito ${nameWithArticle(provider, "n")} é confirmado até a chave ser aceita. Salve a chave certa ou, se a conta foi liberada, use Testar Webhook.`,
    ],
  };
}
