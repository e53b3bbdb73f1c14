import { z } from "zod";
import { cleanLine } from "#app/kit/clean-text.ts";
import { cleanPasted } from "#app/kit/pasted.ts";

const text = (max: number) => z.string().max(max, `Até ${max} caracteres`).nullish();

const sourceOf = (typed: string) => cleanLine(typed).trim() || "checkintelli";

const flag = z.boolean({ error: "Envie true ou false" });

/** A switch, as a form posts it (`on` or nothing) or a program does. */
const off = flag.default(false);

/** The connection; the token may be the mask that was shown, and then stays as it is. */
export const connectionForm = z.object({
  api_token: text(500).transform((value) => cleanPasted(value ?? "")),
  api_url: text(500).transform((value) => (value ?? "").trim()),
  source_id: text(60).transform((value) => sourceOf(value ?? "")),
  is_enabled: off,
});
export type ConnectionForm = z.output<typeof connectionForm>;

/** The connection as JSON, whole or in part: what is not sent stays as it is, and an empty token removes the saved one. */
export const connectionBody = z.object({
  api_token: text(500).transform((value) => (value == null ? undefined : cleanPasted(value))),
  api_url: text(500).transform((value) => value?.trim()),
  source_id: text(60).transform((value) => (value == null ? undefined : sourceOf(value))),
  is_enabled: flag.nullish().transform((value) => value ?? undefined),
});
export type ConnectionBody = z.output<typeof connectionBody>;

const eventsForm = z.object({ purchase: off, chargeback: off, refund: off });

const optionalFlag = flag.nullish().transform((value) => value ?? undefined);

/** The events as JSON, whole or in part: what is not sent stays as it is. */
export const eventsBody = z.object({
  purchase: optionalFlag,
  chargeback: optionalFlag,
  refund: optionalFlag,
});
export type EventsBody = Partial<z.output<typeof eventsBody>>;

/** A map of product id to on or off. */
export const productsForm = z.record(z.string().regex(/^\d{1,15}$/, "Produto desconhecido"), flag);

/** The page's one form: the three groups, products as the list of those that are on among those that the search shows. */
export const trackingForm = z.object({
  ...connectionForm.shape,
  ...eventsForm.shape,
  product_search: z.string().max(100).default(""),
  products: z.array(z.coerce.number().int().positive()).max(5000).default([]),
});
