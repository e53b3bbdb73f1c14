import { z } from "zod";
import { isDomainName } from "#app/kit/mail-address.ts";

const recordField = (label: string) =>
  z
    .string({ error: `${label} deve ser um texto` })
    .trim()
    .max(2000, `${label} é longo demais`);

/** A domain's name as people paste it: scheme, path and `www.` are removed; lowercase. */
const domainName = z
  .string({ error: "Domínio é obrigatório" })
  .transform((typed) =>
    typed
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, "")
      .split(/[/?#]/, 1)[0]!
      .replace(/^www\./, ""),
  )
  .pipe(z.string().refine(isDomainName, "Escreva só o domínio, como minhaloja.com.br"));

const on = z.literal(["on", "true", "1", 1]).transform(() => true);

/** A boolean as a checkbox, JSON or an old client sends it. */
const flagField = z.union([z.boolean(), on, z.unknown().transform(() => false)]).default(false);

/** A domain entered by hand; names are the API's. */
export const domainForm = z.object({
  domain_name: domainName,
  is_verified: flagField,
  spf_record: recordField("SPF").default(""),
  dkim_record: recordField("DKIM").default(""),
  dmarc_record: recordField("DMARC").default(""),
});

/** The same as JSON, whole or in part: what is not sent of the saved domain stays as it is. */
export const domainBody = z.object({
  domain_name: domainName,
  is_verified: z
    .union([z.boolean(), on, z.literal(["off", "false", "0", "", 0]).transform(() => false)])
    .nullish()
    .transform((value) => value ?? undefined),
  spf_record: recordField("SPF").optional(),
  dkim_record: recordField("DKIM").optional(),
  dmarc_record: recordField("DMARC").optional(),
});

/** A domain to be created at Resend. */
export const newDomainForm = z.object({ domain_name: domainName });

export type DomainFields = z.output<typeof domainForm>;
export type DomainBody = Pick<DomainFields, "domain_name"> & Partial<z.output<typeof domainBody>>;
