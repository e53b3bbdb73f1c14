import { providers } from "#app/domain/gateway/providers/index.server.ts";
import { anyProviderName, nameWithArticle } from "#app/domain/gateway/providers/name-with-article.server.ts";
import type { Receiving } from "#app/domain/gateway/read-receiving.server.ts";
import type { FirstSteps } from "#app/domain/reports/first-steps.server.ts";
import { ownPurchaseLink } from "#app/domain/storefront/own-purchase-link.server.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";

/** A step to the first sale. Its link opens in a new tab if `outside`. */
export type Step = {
  id: string;
  title: string;
  text: string;
  done: boolean;
  action: { label: string; to: string; outside?: boolean };
  /** A link to share with buyers. */
  share?: string;
};

/** The first provider of the demonstration, and an API key that it accepts. */
const DEMO_PROVIDER = Object.values(providers)[0]!;
const DEMO_KEY = "1|sandbox-demo";

/** The step of the payments, where a key is saved and no PIX is received with it. */
const SAVED_KEY_STEPS: Partial<Record<Receiving, Pick<Step, "title" | "text">>> = {
  off: {
    title: "Ligar o PIX",
    text: "A API Key está salva, mas o PIX está desligado: nenhum comprador consegue pagar ainda.",
  },
  untested: {
    title: "Testar a API Key",
    text: "A API Key está salva, mas ainda não foi testada: use Testar Webhook antes de vender.",
  },
  refused: {
    title: "Corrigir a API Key",
    text: "A API Key foi recusada: ninguém consegue pagar por PIX. Salve a chave certa.",
  },
};

/** The first steps with their texts; in the demonstration the seller is also the first buyer. */
export function showSteps(
  seller: { name: string; email: string },
  { emailConfirmed, product, checkoutSeen }: FirstSteps,
  receiving: Receiving,
): Step[] {
  const isDemo = env.sandboxUrl !== null;
  const create = paths.newProduct();
  return [
    {
      id: "email",
      title: "Confirmar o e-mail",
      text: "Abra o link que enviamos para o seu endereço.",
      done: emailConfirmed,
      action: { label: "Pedir outro link", to: paths.settings() },
    },
    {
      id: "gateway",
      ...(pick(SAVED_KEY_STEPS, receiving) ?? {
        title: `Conectar ${anyProviderName()}`,
        text: `Seus checkouts ainda não recebem pagamentos: falta a sua API Key.${isDemo ? ` Nesta demonstração vale, ${nameWithArticle(DEMO_PROVIDER, "n")}, a chave ${DEMO_KEY}` : ""}`,
      }),
      done: receiving === "on",
      action: { label: "Abrir Gateways", to: paths.settings("gateways") },
    },
    {
      id: "product",
      title: "Criar um produto",
      text: "Nome e preço bastam, com um link ou um arquivo como conteúdo. O resto pode ficar para depois.",
      done: product !== null,
      action: { label: "Criar produto", to: create },
    },
    {
      id: "look",
      title: "Ver o seu checkout",
      text: "A página como quem compra vê, no celular e no computador.",
      done: product !== null && checkoutSeen,
      action: {
        label: "Ver o checkout",
        to: product ? paths.productPreview(product.id) : create,
        outside: true,
      },
    },
    product && !product.active
      ? {
          id: "sell",
          title: "Fazer a primeira venda",
          text: "O produto está inativo: confira o conteúdo e ative-o para que possa ser comprado.",
          done: false,
          action: { label: "Ativar o produto", to: paths.productContent(product.id) },
        }
      : {
          id: "sell",
          title: "Fazer a primeira venda",
          text: isDemo
            ? "Compre de você mesmo: o PIX é pago com um botão e a venda aparece aqui."
            : "Divulgue o link do checkout. A venda aparece aqui assim que o PIX for pago.",
          done: false,
          action: {
            label: isDemo ? "Fazer uma compra de teste" : "Abrir o checkout",
            to: product ? ownPurchaseLink(seller, product).to : create,
            outside: true,
          },
          ...(product ? { share: paths.checkout(product) } : {}),
        },
  ];
}
