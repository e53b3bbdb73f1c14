import { maskedResendKey } from "#app/domain/mail/resend/masked-resend-key.server.ts";
import { loadMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import { findDomain } from "#app/domain/mail/sending-domain/find-domain.server.ts";
import { domainVersion } from "#app/domain/mail/sending-domain/save-domain.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { findReminderTimes } from "#app/domain/reminder/schedule/find-reminder-times.server.ts";
import { reminderTimesVersion } from "#app/domain/reminder/schedule/save-reminder-times.server.ts";
import type { ComparedLabels, SavedState } from "#app/server/forms/conflict.server.ts";
import { maskTypedSecrets } from "#app/server/forms/typed-secrets.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

/** How a form that could not be saved is answered: what its error begins with, and the saved values it conflicts with. */
export type Form = { failed: string; conflict?: Conflict };
type Conflict = {
  loadSaved: (sellerId: string) => Promise<SavedState>;
  labels: ComparedLabels;
  secret?: string[];
};

export const TEMPLATE: Form = {
  failed: "Erro ao salvar template: ",
  conflict: {
    loadSaved: async (sellerId) => {
      const { shown: template, version } = await loadMailSettings(sellerId);
      return { saved: template, version };
    },
    labels: {
      resend_api_key: "Chave do Resend",
      sender_name: "Nome do remetente",
      sender_email: "E-mail do remetente",
      subject: "Assunto",
      editor: { label: "Conteúdo", texts: { simple: "Editor simples", html: "HTML" } },
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
    loadSaved: async (sellerId) => {
      const reminder = await findReminderTimes(sellerId);
      return {
        saved: Object.fromEntries(reminder.map((minutes, at) => [`reminder[${at}]`, minutes])),
        version: reminderTimesVersion(reminder),
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
    loadSaved: loadDomain,
    labels: {
      domain_name: "Domínio",
      is_verified: "Domínio verificado",
      spf_record: "Registro SPF",
      dkim_record: "Registro DKIM",
      dmarc_record: "Registro DMARC",
    },
  },
};

export const NEW_DOMAIN: Form = {
  failed: DOMAIN.failed,
  conflict: { loadSaved: loadDomain, labels: { domain_name: "Domínio" } },
};

async function loadDomain(sellerId: string): Promise<SavedState> {
  const domain = await findDomain(sellerId);
  const saved = domain && {
    domain_name: domain.domainName,
    is_verified: domain.isVerified,
    spf_record: domain.spfRecord,
    dkim_record: domain.dkimRecord,
    dmarc_record: domain.dmarcRecord,
  };
  return { saved: saved ?? {}, version: domainVersion(domain) };
}

/** A key is sent back as a mask: the one that was typed, else the saved one. */
export async function masked(sellerId: string, result: FormReply, form: FormData): Promise<FormReply> {
  const { hook_secret, resend_api_key: _, ...typed } = result.initialValue ?? {};
  // Not by the reply: that of a stale form has no key.
  if (!form.has("resend_api_key")) return { ...result, initialValue: typed };
  const shown = { ...typed, resend_api_key: await maskedResendKey(sellerId) };
  return maskTypedSecrets(sellerId, { ...result, initialValue: shown }, form, ["resend_api_key"]);
}

/** Whether the sender's address differs from the saved one. */
export async function changesSender(sellerId: string, typed: string): Promise<boolean> {
  return typed.toLowerCase() !== (await findTemplate(sellerId)).senderEmail;
}
