import { z } from "zod";
import { required, requiredLine, text, url } from "#app/domain/catalog/fields.server.ts";
import { LONGEST_TEXT, MOST_ITEMS } from "#app/domain/content/limits.ts";

const name = requiredLine("Nome", 150);
const address = url("Endereço");
const html = text("Texto", LONGEST_TEXT);

/** A link to something kept elsewhere. */
export const linkForm = z.object({ name, url: required(address, "Endereço é obrigatório") });

/** A text that buyers read on our pages; its HTML is sanitised where it is shown. */
export const textForm = z.object({
  name,
  html: required(html, "Texto é obrigatório"),
});

/** A file under another name, and whether its PDF is stamped for who buys it. */
export const fileForm = z.object({ name, stamp: z.boolean().default(false) });

const whose = z.string().max(40).default("product").meta({ title: "product, bump-1002 ou offer-1003" });

/** A new link or text, by the API. */
export const newItemBody = z.discriminatedUnion("kind", [
  linkForm.extend({ kind: z.literal("link"), for: whose }),
  textForm.extend({ kind: z.literal("text"), for: whose }),
]);

/** A known item, by the API: what is not sent, or empty, stays as it is. */
export const itemBody = z.object({
  name,
  url: address.optional(),
  html: html.optional(),
  stamp: z.boolean({ error: "stamp deve ser true ou false" }).optional(),
});

/** The order of all items of a content, by the API. */
export const orderBody = z.object({
  for: whose,
  items: z.array(z.uuid()).max(MOST_ITEMS),
  version: z.string().optional(),
});
