import { z } from "zod";
import {
  countField,
  endsAfterStart,
  momentField,
  uniqueIds,
  WRONG_PERIOD,
  whenObject,
} from "#app/domain/catalog/fields/limit-fields.server.ts";
import {
  createField,
  flagField,
  moneyField,
  percentField,
  required,
} from "#app/domain/catalog/fields.server.ts";
import { COUPON_CODE_PATTERN, normalizeCouponCode } from "#app/domain/coupon/choose-coupon.server.ts";

const MAX_PRODUCTS = 5000;
const MAX_OFFERS = 1000;

/** What page and API have in common. Money as text or numbers of reais, empty values are null. */
const common = {
  code: required(codeField("Código"), "Código é obrigatório"),
  includes_bumps: flagField("Desconto nos order bumps", false),
  starts_at: momentField("Início"),
  ends_at: momentField("Fim"),
  max_uses: countField("Limite de usos"),
  max_uses_per_buyer: countField("Limite por pessoa"),
  minimum: moneyField("Preço mínimo", 1),
  first_purchase_only: flagField("Só na primeira compra", false),
};
const percent = percentField("Desconto", 1);
const amount = moneyField("Desconto", 1);

/** A coupon from its form: one discount with its kind, products as checkboxes. */
export const couponForm = z
  .object({
    ...common,
    discount_kind: z.enum(["percent", "amount"]).default("percent"),
    discount: z.string().optional(),
    scope: z.enum(["all", "some"]).default("all"),
    products: z.array(z.coerce.number().int().positive()).max(MAX_PRODUCTS).default([]),
    offers_scope: z.enum(["all", "some"]).default("all"),
    offer_ids: z.array(z.uuid()).max(MAX_OFFERS).default([]),
    is_active: flagField("Ativo", false),
  })
  .refine(({ discount_kind, discount }) => readDiscount(discount_kind, discount).value !== null, {
    path: ["discount"],
    error: ({ input }) => {
      const { discount_kind, discount } = input as { discount_kind: "percent"; discount?: string };
      return readDiscount(discount_kind, discount).problem;
    },
    when: whenObject,
  })
  .refine(({ scope, products }) => scope !== "some" || products?.length > 0, {
    path: ["products"],
    error: "Escolha ao menos um produto",
    when: whenObject,
  })
  .refine(({ offers_scope, offer_ids }) => offers_scope !== "some" || offer_ids?.length > 0, {
    path: ["offer_ids"],
    error: "Escolha ao menos uma oferta",
    when: whenObject,
  })
  .refine(endsAfterStart, WRONG_PERIOD)
  .transform(
    ({ discount_kind, discount, scope, products, offers_scope, offer_ids, is_active, ...fields }) => {
      const { value } = readDiscount(discount_kind, discount);
      const isPercent = discount_kind === "percent";
      return {
        ...commonColumns(fields),
        percent: isPercent ? value : null,
        amountCents: isPercent ? null : value,
        // The page hides the switch where it has no effect.
        includesBumps: isPercent && fields.includes_bumps,
        productIds: scope === "all" ? null : uniqueIds(products),
        offerIds: offers_scope === "all" ? null : uniqueIds(offer_ids),
        active: is_active as boolean | undefined,
      };
    },
  );

/** The percentage, or the amount in cents; null with the problem if it is neither. */
function readDiscount(kind: "percent" | "amount", text: string | undefined) {
  const { data, error } = (kind === "amount" ? amount : percent).safeParse(text);
  return { value: data ?? null, problem: error?.issues[0]?.message ?? "Desconto é obrigatório" };
}

/** A new coupon as JSON: it is active unless stated otherwise. */
export const newCouponBody = couponBodySchema(true);
/** An existing coupon as JSON: `is_active` stays as it is if it is not sent. */
export const couponBody = couponBodySchema(undefined);

export type CouponFields = z.output<typeof couponBody>;

function couponBodySchema(activeDefault: boolean | undefined) {
  return z
    .object(
      {
        ...common,
        percent,
        amount,
        product_ids: z
          .array(z.int("Os produtos são números").positive("Os produtos são números"))
          .max(MAX_PRODUCTS)
          .nullish()
          .meta({ description: "Os produtos em que vale; null ou vazio: em todos, também nos futuros" }),
        offer_ids: z.array(z.uuid("As ofertas são identificadores")).max(MAX_OFFERS).nullish().meta({
          description:
            "As ofertas destes produtos em que vale; null ou vazio: em todas, e no preço do próprio produto",
        }),
        is_active: flagField("Ativo", activeDefault),
      },
      { error: "Os dados do cupom devem ser um objeto" },
    )
    .refine((body) => (body.percent === null) !== (body.amount === null), {
      path: ["percent"],
      error: "Envie o desconto em percent ou em amount, um dos dois",
    })
    .refine((body) => body.percent !== null || !body.includes_bumps, {
      path: ["includes_bumps"],
      error: "O desconto nos order bumps só existe em porcentagem",
    })
    .refine(endsAfterStart, WRONG_PERIOD)
    .transform((body) => ({
      ...commonColumns(body),
      percent: body.percent,
      amountCents: body.amount,
      includesBumps: body.includes_bumps,
      productIds: body.product_ids?.length ? uniqueIds(body.product_ids) : null,
      offerIds: body.offer_ids?.length ? uniqueIds(body.offer_ids) : null,
      active: body.is_active as boolean | undefined,
    }));
}

function commonColumns(fields: z.output<z.ZodObject<typeof common>>) {
  return {
    code: fields.code,
    startsAt: fields.starts_at,
    endsAt: fields.ends_at,
    maxUses: fields.max_uses,
    maxUsesPerBuyer: fields.max_uses_per_buyer,
    minimumCents: fields.minimum,
    isFirstPurchaseOnly: fields.first_purchase_only,
  };
}

/** A coupon's code, normalized. */
function codeField(label: string) {
  const jsonSchema = {
    title: label,
    type: ["string", "null"],
    description: "De 3 a 32 letras, números, hífens ou sublinhados; guardado em maiúsculas e sem acentos",
  };
  return createField(jsonSchema, (value, reject): string | null => {
    if (value === null) return null;
    const code = typeof value === "string" ? normalizeCouponCode(value) : "";
    if (COUPON_CODE_PATTERN.test(code)) return code;
    return reject(`${label} deve ter de 3 a 32 letras, números, hífens ou sublinhados`);
  });
}
