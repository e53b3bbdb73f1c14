import { type DomainView, describeRecordState } from "#app/domain/mail/sending-domain/domain-view.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";

type DnsRecordView = DomainView["records"][number];

/** The DNS records exactly as Resend returned them, each value with its copy button, and the one we recommend. */
export function RecordList({ domain }: { domain: DomainView }) {
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-medium text-sm">Registros para o DNS</h3>
      <ul className="flex flex-col gap-3">
        {domain.records.map((record) => (
          <li key={`${record.type} ${record.name} ${record.value}`}>
            <RecordBox record={record} />
          </li>
        ))}
        <li>
          <RecordBox
            advised
            record={{
              record: "DMARC",
              type: "TXT",
              name: "_dmarc",
              value: domain.dmarcRecord || "v=DMARC1; p=none;",
              ttl: "Auto",
              status: "",
            }}
          />
        </li>
      </ul>
    </div>
  );
}

function RecordBox({ record, advised }: { record: DnsRecordView; advised?: boolean }) {
  const state = describeRecordState(record.status);
  return (
    <div className="rounded-box border border-base-300 p-4">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <span className="font-medium text-sm">{record.record}</span>
        <Badge tone="neutral">{record.type}</Badge>
        {advised ? <Badge tone="neutral">Recomendado</Badge> : <Badge tone={state.tone}>{state.label}</Badge>}
      </div>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
        <Row label="Nome" value={record.name} what={`nome do ${record.record} ${record.type}`} />
        <Row label="Valor" value={record.value} what={`valor do ${record.record} ${record.type}`} />
        {record.priority !== undefined && (
          <Row label="Prioridade" value={String(record.priority)} what={`prioridade do ${record.record}`} />
        )}
        <dt className="text-base-content/70 sm:py-2">TTL</dt>
        <dd className="sm:py-2">{record.ttl}</dd>
      </dl>
    </div>
  );
}

function Row({ label, value, what }: { label: string; value: string; what: string }) {
  return (
    <>
      <dt className="pt-2 text-base-content/70">{label}</dt>
      <dd className="flex min-w-0 items-start justify-between gap-2">
        <code className="min-w-0 break-all py-2 text-xs leading-5">{value}</code>
        <CopyButton text={value} label={`Copiar ${what}`} iconOnly />
      </dd>
    </>
  );
}
