import type { Submission } from "@conform-to/react";
import type { z } from "zod";
import type { OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import type { ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { MAX_ROWS } from "#app/domain/catalog/product-limits.ts";
import { toMoneyField } from "#app/kit/money.ts";
import { LABELS } from "#app/ui/seller/product/field-labels.ts";
import type { ProductFormDefaults, SellableRowData } from "#app/ui/seller/product/form-data.ts";
import { settlePictures } from "#app/web/files/settle-pictures.server.ts";
import { badForm, parseForm, postedWithFiles } from "#app/web/forms.server.ts";

/**
 * A product's posted form, what it is by its schema, and what is wrong with the pictures that came with it. Rows beyond what
 * a product may have, and one, are not even read.
 */
export async function readProductForm<T extends z.ZodType>(request: Request, sellerId: string, schema: T) {
  const { form: posted, files } = await postedWithFiles(request);
  for (const name of [...posted.keys()]) {
    // A row's number becomes an index: a huge one would make a list as long.
    if (Number(/\[(\d+)\]/.exec(name)?.[1] ?? 0) > MAX_ROWS) posted.delete(name);
  }
  const wrong = await settlePictures(request, sellerId, posted, files);
  return { posted, wrong, submission: parseForm(posted, schema) };
}

/** The reply to a product's form that does not fit, or whose button was for its rows; null where it can be saved. */
export function notYet<T, V>(submission: Submission<T, string[], V>, wrong: Record<string, string[]>) {
  const isWrong = Object.keys(wrong).length > 0;
  if (!submission.status) return submission.reply(isWrong ? { fieldErrors: wrong } : {});
  return submission.status === "success" && !isWrong ? null : badForm(submission, wrong);
}

/** Rows that were deleted elsewhere are added again: their seller means to have them. */
export function anewWhereGone(fields: ProductFields, product: OwnProduct): ProductFields {
  const kept = <T extends { id: number | null }>(rows: T[] | undefined, known: { id: number }[]) =>
    rows?.map((row) => (known.some(({ id }) => id === row.id) ? row : { ...row, id: null }));
  return {
    ...fields,
    bumps: kept(fields.bumps, product.bumps),
    offers: kept(fields.offers, product.offers),
  };
}

/** The fields of the form by the names its seller knows. */
export const PRODUCT_FIELDS: Record<string, string> = {
  ...LABELS,
  is_active: "Produto ativo",
  ...rowFields("orderBumps", "Order bump"),
  ...rowFields("upsells", "Oferta"),
};

function rowFields(list: string, label: string): Record<string, string> {
  const fields = {
    name: "nome",
    description: "descrição",
    price: "preço",
    original_price: "preço original",
    discount_percentage: "desconto",
    promotion_text: "texto promocional",
    urgency_text: "texto de urgência",
    image_url: "imagem",
    file_url: "link do arquivo",
    video_url: "vídeo",
    benefits: "benefícios",
    is_active: "ativo",
  };
  const rows = Object.entries(fields).map(([name, text]) => [`${list}.${name}`, text]);
  return { [list]: label, ...Object.fromEntries(rows) };
}

/** What the form of a product that exists starts with. */
export function productDefaults(product: OwnProduct): ProductFormDefaults {
  return {
    ...texts(product),
    file_url: product.fileUrl ?? "",
    promotion_text: product.promotionText ?? "",
    urgency_text: product.urgencyText ?? "",
    redirect_url: product.redirectUrl ?? "",
    banner_image_url: product.bannerImageUrl ?? "",
    banner_link_url: product.bannerLinkUrl ?? "",
    checkout_slug: product.checkoutSlug ?? "",
    orderBumps: product.bumps.map((bump) => ({
      ...texts(bump),
      id: String(bump.id),
      promotion_text: bump.promotionText ?? "",
      urgency_text: bump.urgencyText ?? "",
    })),
    upsells: product.offers.map((offer) => ({
      ...texts(offer),
      id: String(offer.id),
      video_url: offer.videoUrl ?? "",
      benefits: offer.benefits.join("\n"),
    })),
  };
}

function texts(
  item: OwnProduct | OwnProduct["bumps"][number] | OwnProduct["offers"][number],
): Omit<SellableRowData, "id" | "image_url_file"> {
  return {
    name: item.name,
    description: item.description ?? "",
    price: toMoneyField(item.priceCents),
    original_price: toMoneyField(item.originalPriceCents),
    discount_percentage: item.discountPercentage === null ? "" : String(item.discountPercentage),
    image_url: item.imageUrl ?? "",
    file_url: item.fileUrl ?? "",
    is_active: item.deactivatedAt === null,
  };
}
