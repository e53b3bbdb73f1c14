import type { DomainRecord } from "#app/db/schema/mail-settings.server.ts";
import { toDomainStatus } from "#app/domain/mail/sending-domain/domain-view.ts";

/** A domain as Resend returns it. */
export type ResendDomain = {
  id: string;
  status: string;
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

/** Converts Resend's answer to our columns: status, records unchanged, and the two that our API names separately. */
export function toDomainColumns({ id, status, records }: ResendDomain, now: Date) {
  const storedRecords = records.map(
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
  const joinValues = (kind: string) =>
    storedRecords
      .filter(({ record, type }) => record === kind && type !== "MX")
      .map(({ value }) => value)
      .join("\n");
  return {
    providerId: id,
    status: toDomainStatus(status),
    verifiedAt: status === "verified" ? now : null,
    records: storedRecords,
    spfRecord: joinValues("SPF"),
    dkimRecord: joinValues("DKIM"),
    checkedAt: now,
    updatedAt: now,
  };
}
