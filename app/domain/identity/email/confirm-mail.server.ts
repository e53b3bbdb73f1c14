import { greeting } from "#app/domain/mail/message/greeting.ts";
import { mailButton, mailLayout, paragraph } from "#app/domain/mail/message/layout.server.ts";
import { escapeHtml } from "#app/kit/html.ts";

type Mail = { subject: string; html: string };

/** The mail that asks to confirm an address. `link` is absolute. */
export function confirmMail(name: string, link: string): Mail {
  return {
    subject: "Confirme seu e-mail na Checkintelli",
    html: mailLayout({
      title: "Confirme seu e-mail",
      preview: "Um clique e sua conta está pronta.",
      bodyHtml: [
        paragraph(greeting(name)),
        paragraph("Para confirmar que este endereço é seu, use o botão abaixo. O link vale por 3 dias."),
        mailButton("Confirmar e-mail", link),
        paragraph(`Se o botão não abrir, copie este endereço no navegador:<br>${escapeHtml(link)}`),
      ].join("\n"),
      footerHtml: "<p>Não foi você? Ignore esta mensagem: sem o clique, nada acontece.</p>",
    }),
  };
}

/** The mail with the link to a new password. */
export function resetMail(name: string, link: string): Mail {
  return {
    subject: "Crie uma nova senha na Checkintelli",
    html: mailLayout({
      title: "Nova senha",
      preview: "O link vale por 1 hora e funciona uma vez.",
      bodyHtml: [
        paragraph(greeting(name)),
        paragraph(
          "Recebemos um pedido para trocar a senha da sua conta. O link vale por 1 hora e funciona uma vez.",
        ),
        mailButton("Criar nova senha", link),
        paragraph(`Se o botão não abrir, copie este endereço no navegador:<br>${escapeHtml(link)}`),
      ].join("\n"),
      footerHtml: "<p>Não foi você? Ignore esta mensagem: sua senha continua a mesma.</p>",
    }),
  };
}

/** The note to the old address that another is to take its place. */
export function emailChangeMail(name: string, newEmail: string): Mail {
  return {
    subject: "Pedido de troca de e-mail na Checkintelli",
    html: mailLayout({
      title: "Pedido de troca de e-mail",
      bodyHtml: [
        paragraph(greeting(name)),
        paragraph(
          `Alguém com acesso à sua conta pediu para trocar o e-mail dela por <strong>${escapeHtml(newEmail)}</strong>. A troca vale quando esse endereço for confirmado.`,
        ),
        paragraph(
          "Se não foi você, troque a senha em Configurações: isso cancela a troca de e-mail e encerra as outras sessões.",
        ),
      ].join("\n"),
    }),
  };
}
