import { findDomain } from "#app/domain/mail/domain/find-domain.server.ts";
import { domainVersion } from "#app/domain/mail/domain/save-domain.server.ts";
import { showMail } from "#app/domain/mail/outbox/save-mail.server.ts";
import { findReminders } from "#app/domain/reminder/schedule/find-reminders.server.ts";
import { remindersVersion } from "#app/domain/reminder/schedule/save-reminders.server.ts";
import type { Stands } from "#app/web/conflict.server.ts";

/** A form's own words for what stands in its way, and what it would replace. */
export type Form = { failed: string; conflict?: Conflict };
type Conflict = {
  stands: (sellerId: string) => Promise<Stands>;
  labels: Record<string, string>;
  secret?: string[];
};

export const TEMPLATE: Form = {
  failed: "Erro ao salvar template: ",
  conflict: {
    stands: async (sellerId) => {
      const { shown, version } = await showMail(sellerId);
      return { saved: shown, version };
    },
    labels: {
      resend_api_key: "Chave do Resend",
      sender_name: "Nome do remetente",
      sender_email: "E-mail do remetente",
      subject: "Assunto",
      simple_title: "Título",
      simple_text: "Texto",
      simple_button: "Texto do botão",
      html_content: "Conteúdo (HTML)",
    },
    secret: ["resend_api_key"],
  },
};

export const REMINDERS: Form = {
  failed: "Erro ao salvar lembretes: ",
  conflict: {
    stands: async (sellerId) => {
      const reminder = await findReminders(sellerId);
      return {
        saved: Object.fromEntries(reminder.map((minutes, at) => [`reminder[${at}]`, minutes])),
        version: remindersVersion(reminder),
      };
    },
    labels: {
      "reminder[0]": "1º lembrete (minutos)",
      "reminder[1]": "2º lembrete (minutos)",
      "reminder[2]": "3º lembrete (minutos)",
    },
  },
};

export const DOMAIN: Form = {
  failed: "Erro ao salvar domínio: ",
  conflict: {
    stands: async (sellerId) => {
      const domain = await findDomain(sellerId);
      const saved = domain && {
        domain_name: domain.domainName,
        is_verified: domain.isVerified,
        spf_record: domain.spfRecord,
        dkim_record: domain.dkimRecord,
        dmarc_record: domain.dmarcRecord,
      };
      return { saved: saved ?? {}, version: domainVersion(domain) };
    },
    labels: {
      domain_name: "Domínio",
      is_verified: "Domínio verificado",
      spf_record: "Registro SPF",
      dkim_record: "Registro DKIM",
      dmarc_record: "Registro DMARC",
    },
  },
};
