import { domainOf, isFreeDomain } from "#app/domain/mail/message/mail-address.ts";
import { checkDns } from "#app/domain/mail/sending-domain/check-dns.server.ts";
import type { DomainView } from "#app/domain/mail/sending-domain/domain-view.ts";
import { checkContent } from "#app/domain/mail/template/check-content.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import type { Brand } from "#app/domain/mail/template/find-brand.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import type { SpamCheck } from "#app/domain/mail/template/spam-check.ts";

/** All checks: the sending domain, then the mail itself. */
export async function checkSpam({
  template,
  domain,
  brand,
  usesOwnAccount,
}: {
  template: Template;
  domain: DomainView | null;
  brand: Brand;
  /** Whether the seller's own account sends the mails. */
  usesOwnAccount: boolean;
}): Promise<{ sender: SpamCheck[]; content: SpamCheck[] }> {
  const preview = previewTemplate(template, brand);
  const content = checkContent({
    ...preview,
    template: template.htmlContent,
    unknown: [...preview.unknown, ...preview.hidden],
    names: [brand.brand_name, preview.senderName],
  });
  return { sender: await checkSender(template, domain, usesOwnAccount), content };
}

async function checkSender(
  template: Template,
  domain: DomainView | null,
  usesOwnAccount: boolean,
): Promise<SpamCheck[]> {
  const name = template.senderEmail ? domainOf(template.senderEmail) : (domain?.domainName ?? null);
  const from: SpamCheck = usesOwnAccount
    ? {
        id: "from",
        title: "Remetente",
        state: "ok",
        text: `Os e-mails saem de ${template.senderEmail}, pela sua conta.`,
      }
    : {
        id: "from",
        title: "Remetente",
        state: "warn",
        text: "Os e-mails saem pelo endereço da plataforma, com o seu nome, e as respostas vão para você.",
        fix: "Para enviar do seu próprio endereço: salve a chave do Resend, verifique o domínio e preencha o e-mail do remetente com ele.",
      };
  if (!name) {
    const text = "Sem um domínio seu não há o que consultar: valem os registros da plataforma.";
    return [from, { id: "dns", title: "SPF, DKIM e DMARC", state: "unknown", text }];
  }
  if (isFreeDomain(name)) {
    return [
      from,
      {
        id: "free",
        title: "Domínio do remetente",
        state: "fail",
        text: `${name} é um provedor gratuito: ninguém além dele pode enviar por esse domínio.`,
        fix: "Use um endereço de um domínio seu, como contato@minhaloja.com.br.",
      },
    ];
  }
  const records = domain?.domainName === name ? domain.records : [];
  return [from, ...(await checkDns(name, records))];
}
