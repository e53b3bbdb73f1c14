import type { DomainBody, DomainFields } from "#app/domain/mail/sending-domain/domain-form.server.ts";
import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";

const NOTHING = { is_verified: false, spf_record: "", dkim_record: "", dmarc_record: "" };
const RECORDS = ["spf_record", "dkim_record", "dmarc_record"] as const;

/**
 * A domain with what was entered over what is saved of it. Another name inherits nothing: records that are all the saved
 * domain's came along with the form, and that one's verification says nothing about this one.
 */
export function mergeDomain(saved: DomainView | null, entered: DomainBody): DomainFields {
  const { domain_name, ...fields } = entered;
  const given: Partial<typeof NOTHING> = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  const known = saved
    ? {
        is_verified: saved.isVerified,
        spf_record: saved.spfRecord,
        dkim_record: saved.dkimRecord,
        dmarc_record: saved.dmarcRecord,
      }
    : NOTHING;
  if (saved?.domainName === domain_name) return { domain_name, ...known, ...given };
  const isCarriedOver = RECORDS.every((name) => given[name] === undefined || given[name] === known[name]);
  const is_verified = given.is_verified === true && !known.is_verified;
  return { domain_name, ...NOTHING, ...(isCarriedOver ? {} : given), is_verified };
}
