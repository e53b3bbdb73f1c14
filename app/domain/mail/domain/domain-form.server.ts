import { z } from "zod";
import { isDomainName } from "#app/kit/mail-address.ts";

const recordField = (label: string) =>
  z
    .string({ error: `${label} deve ser um texto` })
    .trim()
    .max(2000, `${label} é longo demais`)
    .default("");

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

/** A boolean as a checkbox, JSON or an old client sends it. */
const flagField = z
  .union([
    z.boolean(),
    z.literal(["on", "true", "1", 1]).transform(() => true),
    z.unknown().transform(() => false),
  ])
  .default(false);

/** A domain entered by hand; names are the API's. */
export const domainForm = z.object({
  domain_name: domainName,
  is_verified: flagField,
  spf_record: recordField("SPF"),
  dkim_record: recordField("DKIM"),
  dmarc_record: recordField("DMARC"),
});

/** A domain to be created at Resend. */
export const newDomainForm = z.object({ domain_name: domainName });

export type DomainFields = z.output<typeof domainForm>;
