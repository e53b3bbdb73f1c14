import type { MemberKind } from "#app/db/schema/lists.ts";

/** The member area form's fields as the page holds them. */
export type MemberFormFields = {
  kind: MemberKind;
  name: string;
  area: string;
  token: string;
  with_document: boolean;
  revokes: boolean;
  scope: "all" | "some";
  products: string[];
  /** For each product, by its code; `ids` as typed, separated by commas. */
  classes: { item: string; ids: string }[];
};

/** A product that may lead to a class. */
export type ItemChoice = { item: string; name: string; kind: "product" | "bump" | "offer" };

/** Each service's name for its key, where to find it, and how it uses deliveries. */
export const SERVICES: Record<MemberKind, { token: string; where: string; text: string; revokes: string }> = {
  cademi: {
    token: "Token",
    where: "Na Cademí, em Configurações, copie o Token das integrações.",
    text: "Cada produto vendido vira uma entrega; na Cademí você diz o que ela libera.",
    revokes:
      "Enviamos a mesma entrega com o status cancelado. A Cademí não publica a palavra que encerra um acesso: no primeiro reembolso, confira lá se ele acabou.",
  },
  memberkit: {
    token: "Chave da API",
    where: "Na MemberKit, em Configurações, copie a chave da API.",
    text: "O comprador entra nas turmas que você escolher para cada produto.",
    revokes:
      "Enviamos as turmas da compra como inativas; as outras turmas do aluno continuam, e ele nunca é excluído. No primeiro reembolso, confira lá se o acesso acabou.",
  },
};
