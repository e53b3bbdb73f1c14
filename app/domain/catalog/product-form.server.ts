import { z } from "zod";
import { bumpForm, newBumpForm } from "#app/domain/catalog/bump-form.server.ts";
import {
  flagField,
  MIN_PRICE,
  moneyField,
  required,
  slugField,
  urlField,
} from "#app/domain/catalog/fields.server.ts";
import { MAX_BUMPS_OR_UPSELLS } from "#app/domain/catalog/product-limits.ts";
import {
  promotionFields,
  sellableColumns,
  sellableFields,
} from "#app/domain/catalog/sellable-form.server.ts";
import { upsellForm } from "#app/domain/catalog/upsell-form.server.ts";

const LINK_FIELD: z.ZodType<string | null> = urlField("Link do arquivo");
/** The message for a product without a link whose content is empty. */
export const MISSING_LINK_TEXT = "Link do arquivo é obrigatório";

/**
 * The schema of a product: one set of rules for page and API. Names are the API's; prices are reais as text or numbers.
 * The output is what the domain functions accept: columns, cents, null where empty.
 */
export const newProductForm = productSchema("new", false);
/** An existing product from its form: an unticked box is not sent, so missing flags are false. */
export const productForm = productSchema("known", false);
/** A new product as JSON: missing flags have their default, active. */
export const newProductBody = productSchema("new", true);
/** An existing product as JSON: `is_active` and lists that are not sent stay as they are. */
export const productBody = productSchema("known", undefined);

export type ProductFields = z.output<typeof productBody>;

const REQUIRED_FIELDS = ["name", "price", "file_url"];

function productSchema(stage: "new" | "known", activeDefault: boolean | undefined) {
  const isForm = activeDefault === false;
  return z
    .object(
      {
        ...sellableFields,
        ...promotionFields,
        price: required(moneyField("Preço", MIN_PRICE, { isFreeAllowed: true }), "Preço é obrigatório"),
        // The page may add the content later: until then the product is inactive (create-product.server.ts).
        file_url: stage === "new" && !isForm ? required(LINK_FIELD, MISSING_LINK_TEXT) : LINK_FIELD,
        redirect_url: urlField("Link de redirecionamento"),
        banner_image_url: urlField("Imagem do banner", "picture"),
        banner_link_url: urlField("Link do banner"),
        checkout_slug: slugField("Endereço do checkout"),
        is_active: flagField("Ativo", activeDefault),
        orderBumps: rowList(stage === "new" ? newBumpForm(!isForm, isForm) : bumpForm(activeDefault)),
        upsells: rowList(upsellForm(activeDefault)),
      },
      { error: "Os dados do produto devem ser um objeto" },
    )
    .refine(() => stage !== "new", {
      error: isForm ? "Nome e preço são obrigatórios" : "Nome, preço e link do arquivo são obrigatórios",
      when: ({ issues }) =>
        issues.some(
          ({ path, message }) =>
            REQUIRED_FIELDS.includes(String(path?.[0])) && / é obrigatório$/.test(message ?? ""),
        ),
    })
    .transform(({ orderBumps, upsells, ...fields }) => ({
      ...sellableColumns(fields),
      fileUrl: fields.file_url,
      redirectUrl: fields.redirect_url,
      promotionText: fields.promotion_text,
      urgencyText: fields.urgency_text,
      bannerImageUrl: fields.banner_image_url,
      bannerLinkUrl: fields.banner_link_url,
      checkoutSlug: fields.checkout_slug,
      active: fields.is_active,
      bumps: orderBumps?.filter((row) => row !== null) ?? (isForm ? [] : undefined),
      upsells: upsells ?? (isForm ? [] : undefined),
    }));
}

/** Undefined where it was not sent. */
function rowList<T extends z.ZodType>(row: T) {
  return z
    .array(row, { error: "Deve ser uma lista" })
    .max(MAX_BUMPS_OR_UPSELLS, { error: `No máximo ${MAX_BUMPS_OR_UPSELLS} itens` })
    .optional();
}
