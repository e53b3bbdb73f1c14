import { z } from "zod";
import { required, requiredLine, text, url } from "#app/domain/catalog/fields.server.ts";
import { LONGEST_TEXT } from "#app/domain/content/limits.ts";

const name = requiredLine("Nome", 150);

/** A link to something kept elsewhere. */
export const linkForm = z.object({ name, url: required(url("Endereço"), "Endereço é obrigatório") });

/** A text that buyers read on our pages; its HTML is sanitised where it is shown. */
export const textForm = z.object({
  name,
  html: required(text("Texto", LONGEST_TEXT), "Texto é obrigatório"),
});

/** A file under another name. */
export const fileForm = z.object({ name });
