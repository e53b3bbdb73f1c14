import { z } from "zod";
import { saveMail, showMail } from "#app/domain/mail/outbox/save-mail.server.ts";
import { bringsAccess, NO_ACCESS } from "#app/domain/mail/template/access-button.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { templateForm, toTemplate } from "#app/domain/mail/template/template-form.server.ts";
import { endpoint } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { done } from "#app/web/openapi/answers.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { requireOwner } from "#app/web/session/recent-sign-in.server.ts";

const answer = z.object({
  id: z.int().optional(),
  sender_name: z.string(),
  sender_email: z.string(),
  subject: z.string(),
  html_content: z.string(),
  version: z.string(),
});
const warning = z.string().optional().meta({
  description: "O que falta ao modelo, em português: foi salvo assim mesmo",
});

/**
 * The purchase mail's template; POST answers with what is kept. Another sender's address asks for a session that signed
 * in a moment ago.
 */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "O modelo do e-mail de compra", needs: "read", answer, versioned: true, example: {} },
    ({ seller }) => show(seller.id),
  ),
  POST: method(
    {
      summary: "Muda o modelo do e-mail de compra",
      details: "Trocar o endereço do remetente pede uma sessão: nenhuma chave de API faz isso.",
      needs: "settings",
      body: templateForm,
      max: SELLERS_BODY,
      answer: done.extend(answer.shape).extend({ warning }),
      versioned: true,
      example: {
        body: {
          sender_name: "Escola Canto Livre",
          subject: "Seu acesso a {product_name}",
          html_content: [
            "<p>Olá, {customer_name}!</p>",
            "<p>O seu pagamento de {amount_formatted} foi aprovado.</p>",
            "<!-- itens -->",
            '<p><a href="{product_file_url}">Acessar minha compra</a></p>',
          ].join("\n"),
        },
      },
    },
    async ({ request, seller, readVersioned }) => {
      const { fields, version } = await readVersioned();
      const template = toTemplate(fields);
      if (template.senderEmail !== (await findTemplate(seller.id)).senderEmail) requireOwner(seller);
      await saveMail(seller.id, { key: null, template }, originOf(request), version);
      const shown = await show(seller.id);
      return {
        ...{ success: true, ...shown },
        ...(bringsAccess(shown.html_content) ? {} : { warning: NO_ACCESS }),
      };
    },
  ),
});

async function show(sellerId: string) {
  const { id, senderName, senderEmail, subject, htmlContent } = await findTemplate(sellerId);
  return {
    ...(id === null ? {} : { id }),
    sender_name: senderName,
    sender_email: senderEmail,
    subject,
    html_content: htmlContent,
    version: (await showMail(sellerId)).version,
  };
}
