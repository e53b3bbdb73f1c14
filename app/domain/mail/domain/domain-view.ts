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
  /** Whether Resend knows it: then its records and state are Resend's. */
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

type Explained = { label: string; tone: "success" | "warning" | "error" | "neutral"; text: string };

/** What each state of a domain means and what to do about it. Source of the states: contracts.md 3.3. */
export const DOMAIN_STATES: Record<DomainView["status"], Explained> = {
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

const RECORD_STATES: Record<string, Explained["tone"]> = {
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

/** The state of one record in a word. */
export function recordState(status: string): { label: string; tone: Explained["tone"] } {
  return { label: pick(RECORD_LABELS, status) ?? status, tone: pick(RECORD_STATES, status) ?? "neutral" };
}
