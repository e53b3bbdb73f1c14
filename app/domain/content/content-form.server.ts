import { z } from "zod";
import { required, requiredLineField, textField, urlField } from "#app/domain/catalog/fields.server.ts";
import { MAX_ITEMS, MAX_TEXT_LENGTH } from "#app/domain/content/limits.ts";

const name = requiredLineField("Nome", 150);
const address = urlField("Endereço");
const html = textField("Texto", MAX_TEXT_LENGTH);

/** A link to content stored elsewhere. */
export const linkForm = z.object({ name, url: required(address, "Endereço é obrigatório") });

/** A text for buyers; its HTML is sanitised when it is shown. */
export const textForm = z.object({
  name,
  html: required(html, "Texto é obrigatório"),
});

/** The name of a file, and whether its PDF is stamped for each buyer. */
export const fileForm = z.object({ name, stamp: z.boolean().default(false) });

/** Whose content it is: see `ownerKey`. */
export const ownerField = z.string().max(44).default("product").meta({
  description: "De quem é: product, bump-1002 ou offer-1003; o que foi removido, como a lista o diz",
});

/** A new link or text, from the API. */
export const newItemBody = z.discriminatedUnion("kind", [
  linkForm.extend({ kind: z.literal("link"), for: ownerField }),
  textForm.extend({ kind: z.literal("text"), for: ownerField }),
]);

/** An existing item, from the API: what is not sent, or empty, stays as it is. */
export const itemBody = z.object({
  name,
  url: address.optional(),
  html: html.optional(),
  stamp: z.boolean({ error: "stamp deve ser true ou false" }).optional(),
});

/** The order of all items of a content, from the API. */
export const orderBody = z.object({
  for: ownerField,
  items: z.array(z.uuid()).max(MAX_ITEMS),
  version: z.string().optional(),
});
