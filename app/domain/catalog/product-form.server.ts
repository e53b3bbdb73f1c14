import { z } from "zod";
import { bumpForm, newBumpForm } from "#app/domain/catalog/bump-form.server.ts";
import { flag, required, slug, url } from "#app/domain/catalog/fields.server.ts";
import { offerForm } from "#app/domain/catalog/offer-form.server.ts";
import { MAX_ROWS } from "#app/domain/catalog/product-limits.ts";
import {
  promotionFields,
  sellableColumns,
  sellableFields,
} from "#app/domain/catalog/sellable-form.server.ts";

const LINK: z.ZodType<string | null> = url("Link do arquivo");
/** What a product needs whose content holds nothing else. */
export const NO_LINK = "Link do arquivo é obrigatório";

/**
 * How a product is read: one set of rules for page and API. Names are the spec's; prices are reais as people type them or
 * as numbers. The output is what the verbs take: columns, cents, null where empty.
 */
export const newProductForm = product("new", false);
/** A product that exists, from its form: an unticked box is not sent, so what is not said is false. */
export const productForm = product("known", false);
/** A new product as JSON: what is not said is the default, active. */
export const newProductBody = product("new", true);
/** A product that exists as JSON: `is_active` and lists that are not sent stay as they are. */
export const productBody = product("known", undefined);

export type ProductFields = z.output<typeof productBody>;

const WHOLE = ["name", "price", "file_url"];

function product(stage: "new" | "known", unsaid: boolean | undefined) {
  const form = unsaid === false;
  return z
    .object(
      {
        ...sellableFields,
        ...promotionFields,
        // Through the page its content may come after it: until then it is not on sale (create-product.server.ts).
        file_url: stage === "new" && !form ? required(LINK, NO_LINK) : LINK,
        redirect_url: url("Link de redirecionamento"),
        banner_image_url: url("Imagem do banner", "picture"),
        banner_link_url: url("Link do banner"),
        checkout_slug: slug("Endereço do checkout"),
        is_active: flag("Ativo", unsaid),
        orderBumps: list(stage === "new" ? newBumpForm(!form, form) : bumpForm(!form)),
        upsells: list(offerForm(!form)),
      },
      { error: "Os dados do produto devem ser um objeto" },
    )
    .refine(() => stage !== "new", {
      error: form ? "Nome e preço são obrigatórios" : "Nome, preço e link do arquivo são obrigatórios",
      when: ({ issues }) =>
        issues.some(
          ({ path, message }) => WHOLE.includes(String(path?.[0])) && / é obrigatório$/.test(message ?? ""),
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
      bumps: orderBumps?.filter((row) => row !== null) ?? (form ? [] : undefined),
      offers: upsells ?? (form ? [] : undefined),
    }));
}

/** Not sent at all it is undefined. */
function list<T extends z.ZodType>(row: T) {
  return z
    .array(row, { error: "Deve ser uma lista" })
    .max(MAX_ROWS, { error: `No máximo ${MAX_ROWS} itens` })
    .optional();
}
