import { greeting } from "#app/domain/mail/message/greeting.ts";
import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { validUntil } from "#app/domain/mail/message/valid-until.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { escapeHtml } from "#app/kit/html.ts";

type Mail = { subject: string; html: string };

/** The mail that requests the confirmation of an address. `link` is absolute. */
export function renderConfirmationMail(name: string, link: string, expiresAt: Date): Mail {
  return {
    subject: "Confirme seu e-mail na Checkintelli",
    html: renderMailLayout({
      title: "Confirme seu e-mail",
      preview: "Um clique e sua conta está pronta.",
      bodyHtml: [
        renderParagraph(greeting(name)),
        renderParagraph(
          `Para confirmar que este endereço é seu, use o botão abaixo. O link ${validUntil(expiresAt)}.`,
        ),
        ...renderLink("Confirmar e-mail", link),
      ].join("\n"),
      footerHtml: "<p>Não foi você? Ignore esta mensagem: sem o clique, nada acontece.</p>",
    }),
  };
}

/** The mail with the link for a new password. */
export function renderResetMail(name: string, link: string, expiresAt: Date): Mail {
  const isValid = `O link ${validUntil(expiresAt)} e funciona uma vez.`;
  return {
    subject: "Crie uma nova senha na Checkintelli",
    html: renderMailLayout({
      title: "Nova senha",
      preview: isValid,
      bodyHtml: [
        renderParagraph(greeting(name)),
        renderParagraph(`Recebemos um pedido para trocar a senha da sua conta. ${isValid}`),
        ...renderLink("Criar nova senha", link),
      ].join("\n"),
      footerHtml: "<p>Não foi você? Ignore esta mensagem: sua senha continua a mesma.</p>",
    }),
  };
}

/** The mail to the old address that another will replace it. */
export function renderEmailChangeMail(name: string, newEmail: string, expiresAt: Date): Mail {
  return {
    subject: "Pedido de troca de e-mail na Checkintelli",
    html: renderMailLayout({
      title: "Pedido de troca de e-mail",
      bodyHtml: [
        renderParagraph(greeting(name)),
        renderParagraph(
          `Alguém com acesso à sua conta pediu para trocar o e-mail dela por <strong>${escapeHtml(newEmail)}</strong>. A troca só é feita se esse endereço for confirmado até ${formatDateTime(expiresAt)}.`,
        ),
        renderParagraph(
          "Se não foi você, troque a senha em Configurações: isso cancela a troca que ainda não foi feita e encerra as outras sessões.",
        ),
      ].join("\n"),
    }),
  };
}

/** A button, and its address for who cannot use it. */
function renderLink(label: string, link: string): string[] {
  return [
    renderMailButton(label, link),
    renderParagraph(`Se o botão não abrir, copie este endereço no navegador:<br>${escapeHtml(link)}`),
  ];
}
