import { z } from "zod";
import { OFFER_KINDS } from "#app/db/schema/lists.ts";
import {
  countField,
  endsAfterStart,
  momentField,
  uniqueIds,
  WRONG_PERIOD,
  whenObject,
} from "#app/domain/catalog/fields/limit-fields.server.ts";
import {
  flagField,
  MIN_PRICE,
  moneyField,
  required,
  requiredLineField,
  slugField,
} from "#app/domain/catalog/fields.server.ts";
import { MAX_BUMPS_OR_UPSELLS } from "#app/domain/catalog/product-limits.ts";

const MAX_QUANTITY = 1000;
const MAX_ITEMS = 1000;

/** What page and API have in common. Money as text or numbers of reais, empty values are null. */
const common = {
  name: requiredLineField("Nome", 100),
  kind: z.enum(OFFER_KINDS, { error: "Tipo deve ser link, listed ou tier" }).optional().meta({
    description:
      "link: só pelo próprio endereço; listed: o checkout do produto também a mostra; tier: é o preço do checkout do produto enquanto estiver aberta",
  }),
  price: required(moneyField("Preço", MIN_PRICE, { isFreeAllowed: true }), "Preço é obrigatório"),
  original_price: moneyField("Preço original", 1),
  slug: slugField("Endereço"),
  starts_at: momentField("Início"),
  ends_at: momentField("Fim"),
  max_units: countField("Limite de unidades"),
  max_units_per_buyer: countField("Limite por pessoa"),
  min_quantity: countField("Quantidade mínima", MAX_QUANTITY, "Vazio: 1"),
  max_quantity: countField("Quantidade máxima", MAX_QUANTITY, "Vazio: a mínima"),
};

type Quantities = { min_quantity?: number | null; max_quantity?: number | null };
const hasRightQuantities = ({ min_quantity, max_quantity }: Quantities) =>
  (min_quantity ?? 1) <= (max_quantity ?? min_quantity ?? 1);
const WRONG_QUANTITIES = {
  path: ["max_quantity"],
  error: "A quantidade máxima não pode ser menor que a mínima",
  when: whenObject,
};

type PerBuyer = Quantities & { max_units_per_buyer?: number | null };
const leavesBuyersEnough = ({ max_units_per_buyer, min_quantity }: PerBuyer) =>
  !((max_units_per_buyer ?? Number.POSITIVE_INFINITY) < (min_quantity ?? 1));
/** Nobody could order it, and each buyer would be told that it is not valid for them. */
const TOO_FEW_PER_BUYER = {
  path: ["max_units_per_buyer"],
  error: "O limite por pessoa não pode ser menor que a quantidade mínima",
  when: whenObject,
};

/** An offer without any content would deliver nothing. */
const NO_CONTENT = "Escolha ao menos um item do conteúdo";

const scope = z.enum(["all", "some"]).default("all");
const checkedIds = z.array(z.coerce.number().int().positive()).max(1000).default([]);

/** An offer from its form: order bumps and upsells as checkboxes. */
export const offerForm = z
  .object({
    ...common,
    bumps_scope: scope,
    bumps: checkedIds,
    upsells_scope: scope,
    upsells: checkedIds,
    content_scope: scope,
    content: z.array(z.uuid()).max(MAX_ITEMS).default([]),
    is_active: flagField("Ativa", false),
  })
  .refine(endsAfterStart, WRONG_PERIOD)
  .refine(hasRightQuantities, WRONG_QUANTITIES)
  .refine(leavesBuyersEnough, TOO_FEW_PER_BUYER)
  .refine(({ content_scope, content }) => content_scope !== "some" || content?.length > 0, {
    path: ["content"],
    error: NO_CONTENT,
    when: whenObject,
  })
  .transform(
    ({ bumps_scope, bumps, upsells_scope, upsells, content_scope, content, is_active, ...fields }) => ({
      ...commonColumns(fields),
      bumpIds: bumps_scope === "all" ? null : uniqueIds(bumps),
      upsellIds: upsells_scope === "all" ? null : uniqueIds(upsells),
      contentItemIds: content_scope === "all" ? null : uniqueIds(content),
      active: is_active as boolean | undefined,
    }),
  );

/** A new offer as JSON: it is active unless stated otherwise. */
export const newOfferBody = offerBodySchema(true);
/** An existing offer as JSON: `kind`, `is_active`, `slug` and `content_item_ids` stay as they are if they are not sent. */
export const offerBody = offerBodySchema(false);

/** Money in cents. A null slug: a random one, or the one that it has. */
export type OfferFields = z.output<typeof offerBody>;

function offerBodySchema(isNew: boolean) {
  return z
    .object(
      {
        ...common,
        kind: isNew ? common.kind.default("link") : common.kind,
        bump_ids: idList("Os order bumps"),
        upsell_ids: idList("Os upsells"),
        content_item_ids: z
          .array(z.uuid("Os itens do conteúdo são identificadores"))
          .min(1, NO_CONTENT)
          .max(MAX_ITEMS)
          .nullish()
          .meta({
            description:
              "Os arquivos, links e textos do produto que o comprador recebe, também quem já comprou por ela; null: todos",
          }),
        is_active: flagField("Ativa", isNew || undefined),
      },
      { error: "Os dados da oferta devem ser um objeto" },
    )
    .refine(endsAfterStart, WRONG_PERIOD)
    .refine(hasRightQuantities, WRONG_QUANTITIES)
    .refine(leavesBuyersEnough, TOO_FEW_PER_BUYER)
    .transform((body) => ({
      ...commonColumns(body),
      bumpIds: body.bump_ids ? uniqueIds(body.bump_ids) : null,
      upsellIds: body.upsell_ids ? uniqueIds(body.upsell_ids) : null,
      // Not sent: buyers keep what they have, since they get what the offer includes now.
      contentItemIds: body.content_item_ids && uniqueIds(body.content_item_ids),
      active: body.is_active as boolean | undefined,
    }));
}

function idList(subject: string) {
  return z
    .array(z.int(`${subject} são números`).positive(`${subject} são números`))
    .max(MAX_BUMPS_OR_UPSELLS * 2)
    .nullish()
    .meta({ description: `${subject} do produto que aparecem com ela; null: todos, vazio: nenhum` });
}

function commonColumns(fields: z.output<z.ZodObject<typeof common>>) {
  const minQuantity = fields.min_quantity ?? 1;
  return {
    name: fields.name,
    kind: fields.kind,
    priceCents: fields.price,
    originalPriceCents: fields.original_price,
    slug: fields.slug,
    startsAt: fields.starts_at,
    endsAt: fields.ends_at,
    maxUnits: fields.max_units,
    maxUnitsPerBuyer: fields.max_units_per_buyer,
    minQuantity,
    maxQuantity: fields.max_quantity ?? minQuantity,
  };
}
