import type { DOMAIN_STATUSES, DomainRecord } from "#app/db/schema/mail-settings.server.ts";

/** A domain as Resend answers it. Source: contracts.md 3.3. */
export type ResendDomain = {
  id: string;
  status: Exclude<(typeof DOMAIN_STATUSES)[number], "manual">;
  records: {
    record: string;
    name: string;
    type: string;
    value: string;
    ttl: string;
    status: string;
    priority?: number;
  }[];
};

/** Resend's answer as our row: state, records as they came, and the two that the spec names apart. */
export function domainColumns({ id, status, records }: ResendDomain, now: Date) {
  const kept = records.map(
    ({ record, name, type, value, ttl, status, priority }): DomainRecord => ({
      record,
      name,
      type,
      value,
      ttl,
      status,
      ...(priority === undefined ? {} : { priority }),
    }),
  );
  const joined = (kind: string) =>
    kept
      .filter(({ record, type }) => record === kind && type !== "MX")
      .map(({ value }) => value)
      .join("\n");
  return {
    providerId: id,
    status,
    verifiedAt: status === "verified" ? now : null,
    records: kept,
    spfRecord: joined("SPF"),
    dkimRecord: joined("DKIM"),
    checkedAt: now,
    updatedAt: now,
  };
}
