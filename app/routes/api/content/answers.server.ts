import { z } from "zod";
import { nullableText } from "#app/server/openapi/answers.server.ts";

/** Schema of `toItemJson`. */
export const itemAnswer = z.object({
  id: z.uuid(),
  kind: z.enum(["file", "link", "text"]),
  name: z.string(),
  url: nullableText,
  html: nullableText,
  version: z.string(),
  file: z
    .object({
      name: z.string(),
      size: z.int(),
      content_type: nullableText,
      stamp: z.boolean().meta({ description: "Se o PDF é carimbado com nome e e-mail de quem compra" }),
      stamp_problem: nullableText.meta({ description: "Por que ele não é, ou não pode ser, carimbado" }),
    })
    .nullable(),
});

/** Schema of `toContentJson`. */
export const contentAnswer = z.object({
  for: z.string(),
  name: z.string(),
  file_url: nullableText,
  order_version: z.string(),
  items: z.array(itemAnswer),
});
