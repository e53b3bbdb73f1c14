import type { DomainView } from "#app/domain/mail/domain/domain-view.ts";

/** A domain in the API; names are the spec's, `status` and `records` are Resend's. */
export function toDomainJson(domain: DomainView | null) {
  return {
    domain_name: domain?.domainName ?? "",
    is_verified: domain?.isVerified ?? false,
    spf_record: domain?.spfRecord ?? "",
    dkim_record: domain?.dkimRecord ?? "",
    dmarc_record: domain?.dmarcRecord ?? "",
    status: domain?.status ?? "manual",
    records: domain?.records ?? [],
  };
}
