import type { Submission } from "@conform-to/react";
import type { z } from "zod";
import type { OwnProduct } from "#app/domain/catalog/find-product.server.ts";
import type { ProductFields } from "#app/domain/catalog/product-form.server.ts";
import { MAX_BUMPS_OR_UPSELLS } from "#app/domain/catalog/product-limits.ts";
import { toMoneyField } from "#app/kit/money.ts";
import { invalidForm, parseForm, readPostedFiles } from "#app/server/forms/forms.server.ts";
import { resolvePictures } from "#app/server/forms/resolve-pictures.server.ts";
import { LABELS } from "#app/ui/seller/product/field-labels.ts";
import type { ProductFormDefaults, SellableRowData } from "#app/ui/seller/product/form-data.ts";

/**
 * A product's posted form, the result of its schema, and errors of the pictures posted with it. Rows more than one beyond
 * the limit are not parsed.
 */
export async function readProductForm<T extends z.ZodType>(request: Request, sellerId: string, schema: T) {
  const { form: posted, files } = await readPostedFiles(request);
  for (const name of [...posted.keys()]) {
    // A row's number becomes an array index: a huge one would create a huge array.
    if (Number(/\[(\d+)\]/.exec(name)?.[1] ?? 0) > MAX_BUMPS_OR_UPSELLS) posted.delete(name);
  }
  const wrong = await resolvePictures(request, sellerId, posted, files);
  return { posted, wrong, submission: parseForm(posted, schema) };
}

/** The reply to a product's form that has errors, or whose button changes its rows; null if it can be saved. */
export function withErrors<T, V>(submission: Submission<T, string[], V>, wrong: Record<string, string[]>) {
  const isWrong = Object.keys(wrong).length > 0;
  if (!submission.status) return submission.reply(isWrong ? { fieldErrors: wrong } : {});
  return submission.status === "success" && !isWrong ? null : invalidForm(submission, wrong);
}

/** Rows that were deleted elsewhere are added again, because the seller still submits them. */
export function withoutRemovedIds(fields: ProductFields, product: OwnProduct): ProductFields {
  const clearUnknownIds = <T extends { id: number | null }>(rows: T[] | undefined, known: { id: number }[]) =>
    rows?.map((row) => (known.some(({ id }) => id === row.id) ? row : { ...row, id: null }));
  return {
    ...fields,
    bumps: clearUnknownIds(fields.bumps, product.bumps),
    upsells: clearUnknownIds(fields.upsells, product.upsells),
  };
}

/** What the seller is told of those rows before: the new ones have another id, so nothing is linked to them. */
export function describeRemovedRows(
  { bumps = [], upsells = [] }: ProductFields,
  product: OwnProduct,
): string[] {
  const isRemoved = (known: { id: number }[]) => (row: { id: number | null }) =>
    row.id !== null && !known.some(({ id }) => id === row.id);
  return [
    ...bumps
      .filter(isRemoved(product.bumps))
      .map(
        ({ name }) =>
          `O order bump "${name}" foi removido. Se você salvar o seu por cima, é criado outro, sem o conteúdo e as turmas que ele tinha.`,
      ),
    ...upsells
      .filter(isRemoved(product.upsells))
      .map(
        ({ name }) =>
          `A oferta "${name}" foi removida. Se você salvar o seu por cima, é criada outra, sem o conteúdo e as turmas que ela tinha.`,
      ),
  ];
}

/** Labels of the form's fields. */
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

/** The initial values of an existing product's form. */
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
    upsells: product.upsells.map((upsell) => ({
      ...texts(upsell),
      id: String(upsell.id),
      video_url: upsell.videoUrl ?? "",
      benefits: upsell.benefits.join("\n"),
    })),
  };
}

function texts(
  item: OwnProduct | OwnProduct["bumps"][number] | OwnProduct["upsells"][number],
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
