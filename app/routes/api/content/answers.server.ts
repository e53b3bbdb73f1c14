import { z } from "zod";
import { maybeText } from "#app/web/openapi/answers.server.ts";

/** What `itemJson` makes. */
export const itemAnswer = z.object({
  id: z.uuid(),
  kind: z.enum(["file", "link", "text"]),
  name: z.string(),
  url: maybeText,
  html: maybeText,
  version: z.string(),
  file: z
    .object({
      name: z.string(),
      size: z.int(),
      content_type: maybeText,
      stamp: z.boolean().meta({ description: "Se o PDF é carimbado com nome e e-mail de quem compra" }),
      stamp_problem: maybeText.meta({ description: "Por que ele não é, ou não pode ser, carimbado" }),
    })
    .nullable(),
});

/** What `contentJson` makes. */
export const contentAnswer = z.object({
  for: z.string(),
  name: z.string(),
  file_url: maybeText,
  order_version: z.string(),
  items: z.array(itemAnswer),
});
