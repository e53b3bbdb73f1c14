import { z } from "zod";
import {
  createField,
  flagField,
  moneyField,
  percentField,
  required,
} from "#app/domain/catalog/fields.server.ts";
import { COUPON_CODE_PATTERN, normalizeCouponCode } from "#app/domain/coupon/coupon-code.ts";
import { parseDateTimeField } from "#app/kit/dates.ts";

const MAX_PRODUCTS = 5000;
const MAX_USES = 1_000_000;
const YEARS = [2000, 2100] as const;

/** What page and API have in common. Money as text or numbers of reais, empty values are null. */
const common = {
  code: required(codeField("Código"), "Código é obrigatório"),
  includes_bumps: flagField("Desconto nos order bumps", false),
  starts_at: momentField("Início"),
  ends_at: momentField("Fim"),
  max_uses: usesField("Limite de usos"),
  max_uses_per_buyer: usesField("Limite por pessoa"),
  minimum: moneyField("Preço mínimo", 1),
  first_purchase_only: flagField("Só na primeira compra", false),
};
const percent = percentField("Desconto", 1);
const amount = moneyField("Desconto", 1);

/** Refinements run even where other fields have errors, so that all errors are shown at once. */
const when = ({ value }: { value: unknown }) => typeof value === "object" && value !== null;

type Period = { starts_at?: Date | null; ends_at?: Date | null };
const endsAfterStart = ({ starts_at, ends_at }: Period) => !starts_at || !ends_at || ends_at > starts_at;
const wrongPeriod = { path: ["ends_at"], error: "O fim deve ser depois do início", when };

/** A coupon from its form: one discount with its kind, products as checkboxes. */
export const couponForm = z
  .object({
    ...common,
    discount_kind: z.enum(["percent", "amount"]).default("percent"),
    discount: z.string().optional(),
    scope: z.enum(["all", "some"]).default("all"),
    products: z.array(z.coerce.number().int().positive()).max(MAX_PRODUCTS).default([]),
    is_active: flagField("Ativo", false),
  })
  .refine(({ discount_kind, discount }) => readDiscount(discount_kind, discount).value !== null, {
    path: ["discount"],
    error: ({ input }) => {
      const { discount_kind, discount } = input as { discount_kind: "percent"; discount?: string };
      return readDiscount(discount_kind, discount).problem;
    },
    when,
  })
  .refine(({ scope, products }) => scope !== "some" || products?.length > 0, {
    path: ["products"],
    error: "Escolha ao menos um produto",
    when,
  })
  .refine(endsAfterStart, wrongPeriod)
  .transform(({ discount_kind, discount, scope, products, is_active, ...fields }) => {
    const { value } = readDiscount(discount_kind, discount);
    const isPercent = discount_kind === "percent";
    return {
      ...commonColumns(fields),
      percent: isPercent ? value : null,
      amountCents: isPercent ? null : value,
      // The page hides the switch where it has no effect.
      includesBumps: isPercent && fields.includes_bumps,
      productIds: scope === "all" ? null : uniqueIds(products),
      active: is_active as boolean | undefined,
    };
  });

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
    .refine(endsAfterStart, wrongPeriod)
    .transform((body) => ({
      ...commonColumns(body),
      percent: body.percent,
      amountCents: body.amount,
      includesBumps: body.includes_bumps,
      productIds: body.product_ids?.length ? uniqueIds(body.product_ids) : null,
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

function uniqueIds(ids: number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
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

/** A whole number from 1; null is no limit. */
function usesField(label: string) {
  const jsonSchema = {
    title: label,
    type: ["integer", "string", "null"],
    description: "Vazio: sem limite",
    minimum: 1,
    maximum: MAX_USES,
  };
  return createField(jsonSchema, (value, reject): number | null => {
    if (value === null) return null;
    const number = typeof value === "string" && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= MAX_USES)
      return number;
    return reject(`${label} deve ser um número inteiro de 1 a ${MAX_USES.toLocaleString("pt-BR")}`);
  });
}

/** A date and time in São Paulo, or with an offset of its own; fractions of a second are dropped. */
function momentField(label: string) {
  const jsonSchema = {
    title: label,
    type: ["string", "null"],
    description: "Data e hora, como 2026-11-30T23:59:00-03:00; sem fuso, é o horário de São Paulo",
  };
  const withOffset = z.iso.datetime({ offset: true });
  return createField(jsonSchema, (value, reject): Date | null => {
    if (value === null) return null;
    const text = typeof value === "string" ? value.trim() : "";
    const moment = withOffset.safeParse(text).success ? new Date(text) : parseDateTimeField(text);
    if (!moment || Number.isNaN(moment.getTime())) return reject(`${label}: informe a data e a hora`);
    const year = moment.getUTCFullYear();
    if (year < YEARS[0] || year > YEARS[1]) return reject(`${label}: confira o ano`);
    return new Date(Math.floor(moment.getTime() / 1000) * 1000);
  });
}
