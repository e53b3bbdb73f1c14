import { z } from "zod";
import { isDomainName } from "#app/kit/mail-address.ts";

const record = (label: string) =>
  z
    .string({ error: `${label} deve ser um texto` })
    .trim()
    .max(2000, `${label} é longo demais`)
    .default("");

/** A domain's name as people paste it: without scheme, path and `www.`, lowercase. */
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

/** Booleans as a checkbox, JSON or an old client says them. */
const flag = z
  .union([
    z.boolean(),
    z.literal(["on", "true", "1", 1]).transform(() => true),
    z.unknown().transform(() => false),
  ])
  .default(false);

/** A domain kept by hand; names are the spec's. */
export const domainForm = z.object({
  domain_name: domainName,
  is_verified: flag,
  spf_record: record("SPF"),
  dkim_record: record("DKIM"),
  dmarc_record: record("DMARC"),
});

/** A domain to be created at Resend. */
export const newDomainForm = z.object({ domain_name: domainName });

export type DomainFields = z.output<typeof domainForm>;
