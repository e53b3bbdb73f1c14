import { pick } from "#app/kit/pick.ts";
/** A sending domain as its tab shows it. */
export type DomainView = {
  domainName: string;
  status:
    | "manual"
    | "not_started"
    | "pending"
    | "verified"
    | "partially_verified"
    | "partially_failed"
    | "failed";
  isVerified: boolean;
  /** Whether it exists at Resend: then its records and status are Resend's. */
  atResend: boolean;
  records: {
    record: string;
    name: string;
    type: string;
    value: string;
    ttl: string;
    status: string;
    priority?: number;
  }[];
  spfRecord: string;
  dkimRecord: string;
  dmarcRecord: string;
  checkedAt: string | null;
};

type StateText = { label: string; tone: "success" | "warning" | "error" | "neutral"; text: string };

/** What each status of a domain means and what to do about it. The statuses are Resend's. */
export const DOMAIN_STATE_TEXTS: Record<DomainView["status"], StateText> = {
  manual: {
    label: "Mantido à mão",
    tone: "neutral",
    text: "Os registros ficam guardados aqui, sem consulta ao Resend.",
  },
  not_started: {
    label: "Aguardando registros",
    tone: "neutral",
    text: "Copie os registros abaixo para o DNS do seu domínio e clique em Verificar agora.",
  },
  pending: {
    label: "Verificando",
    tone: "warning",
    text: "O Resend está procurando os registros no DNS. Costuma levar alguns minutos, mas pode levar até 72 horas. Esta página se atualiza sozinha.",
  },
  verified: {
    label: "Verificado",
    tone: "success",
    text: "Tudo certo: os seus e-mails já podem sair deste domínio.",
  },
  partially_verified: {
    label: "Verificado em parte",
    tone: "warning",
    text: "Alguns registros foram encontrados e outros não. Confira os que ainda faltam e verifique de novo.",
  },
  partially_failed: {
    label: "Falhou em parte",
    tone: "error",
    text: "Registros que já funcionaram deixaram de ser encontrados. Confira se alguém os apagou do DNS e verifique de novo.",
  },
  failed: {
    label: "Não verificado",
    tone: "error",
    text: "Os registros não foram encontrados em 72 horas. Confira nome e valor de cada um (sem espaços sobrando) e verifique de novo.",
  },
};

/** A status as it is shown. One that is not known, which Resend may add, decides nothing: it is pending. */
export function toDomainStatus(status: string): DomainView["status"] {
  return Object.hasOwn(DOMAIN_STATE_TEXTS, status) ? (status as DomainView["status"]) : "pending";
}

const RECORD_TONES: Record<string, StateText["tone"]> = {
  verified: "success",
  pending: "warning",
  failed: "error",
  temporary_failure: "warning",
  not_started: "neutral",
};

const RECORD_LABELS: Record<string, string> = {
  verified: "Encontrado",
  pending: "Procurando",
  failed: "Não encontrado",
  temporary_failure: "Falha temporária",
  not_started: "Ainda não procurado",
};

/** The label of a record's status. */
export function describeRecordState(status: string): { label: string; tone: StateText["tone"] } {
  return { label: pick(RECORD_LABELS, status) ?? status, tone: pick(RECORD_TONES, status) ?? "neutral" };
}
