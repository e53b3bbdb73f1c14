import { expect, test } from "vitest";
import { SCOPE_LABELS, SCOPES, type Scope } from "#app/domain/identity/access/scopes.ts";
import { keyNeeds } from "#tests/integration/key-needs.ts";

/** The words of each scope's label, with the routes that do it. */
const WORDS: Record<Scope, Record<string, RegExp>> = {
  read: {
    produtos:
      /^\/api\/(products(\/:productId(\/order-bumps)?)?|utmfy\/product-tracking|pictures\/:pictureId)$/,
    conteúdos: /\/content|\/uploads\//,
    ofertas: /\/offers/,
    cupons: /\/coupons/,
    vendas: /\/api\/sales\/|\/utmfy\/debug$/,
    relatórios: /\/reports\/|\/dashboard\/stats$/,
    "e-mails enviados": /\/delivery-logs$/,
    configurações:
      /\/settings\/|\/customization$|\/users\/me$|\/email\/(template|domain)$|\/utmfy\/(settings|events)$/,
  },
  sales: {
    "corrigir compradores": /\/customer$/,
    "reenviar acessos por e-mail": /\/email\/resend\//,
    "vendas à UTMify": /\/utmfy\/retry\//,
    "ver o CPF ou CNPJ inteiro": /\/document$/,
    "registrar contestações": /\/dispute$/,
    "criar links com os dados de quem compra": /\/checkout\/links$/,
  },
  settings: {
    produtos: /\/api\/(products(\/:productId(\/duplicate)?)?|utmfy\/product-tracking|pictures)$/,
    conteúdos: /\/content|\/uploads/,
    ofertas: /\/offers/,
    cupons: /\/coupons/,
    páginas: /\/customization$/,
    "e-mails": /\/email\/(template|preview)$/,
    configurações: /\/settings\/store$|\/utmfy\/events$/,
    "testes (de e-mail, de pagamento e da UTMify)": /\/(test\/email|test\/webhook\/pushinpay|utmfy\/test)$/,
  },
  webhooks: {
    "Criar, mudar e testar webhooks": /\/webhooks(\/:webhookId(\/(secret|test))?)?$/,
    "ver o registro": /\/log$/,
    "reenviar avisos": /\/replay$/,
    "mudar a conexão com a UTMify": /\/utmfy\/settings$/,
  },
};

test.each(SCOPES)("the label of %s says what its routes do, and nothing else", (scope) => {
  const routes = Object.entries(keyNeeds).flatMap(([address, needs]) =>
    Object.values(needs).includes(scope) ? [address] : [],
  );
  const words = Object.entries(WORDS[scope]);
  expect(words.filter(([said]) => !SCOPE_LABELS[scope].includes(said))).toEqual([]);
  expect(routes.filter((address) => !words.some(([, does]) => does.test(address)))).toEqual([]);
  expect(words.filter(([, does]) => !routes.some((address) => does.test(address)))).toEqual([]);
});
