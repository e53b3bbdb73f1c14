import { z } from "zod";
import { loadMailSettings, saveMailSettings } from "#app/domain/mail/sending/save-mail-settings.server.ts";
import type { Template } from "#app/domain/mail/template/default-template.server.ts";
import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { mergeTemplate, templateBody } from "#app/domain/mail/template/template-form.server.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { renderQueuedPreview } from "#app/server/limits/limit-previews.server.ts";
import { successBody } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";

const NO_ACCESS_LINK_TEXT =
  "O modelo não leva o comprador ao que ele comprou: falta {product_file_url} como endereço de um link ou botão. Enquanto faltar, acrescentamos o botão de acesso no fim do e-mail.";

const OURS_TEXT =
  "Com os dados de uma venda este modelo fica grande demais, ou o link da compra se perde em uma tag sem fim: o comprador recebe o nosso.";

const hiddenText = (written: string[]) =>
  `Estas variáveis não são preenchidas em algum lugar e lá ficam como estão escritas: ${written.join(", ")}. Os dados do comprador entram no texto e em links (num link, a página da compra só no começo do endereço), e nada entra depois de uma tag sem fim.`;

const answer = z.object({
  id: z.int().optional(),
  sender_name: z.string(),
  sender_email: z.string(),
  subject: z.string(),
  html_content: z.string(),
  version: z.string(),
});
const warning = z.string().optional().meta({
  description: "O que falta ao modelo, ou não funciona nele, em português: foi salvo assim mesmo",
});

/**
 * The purchase mail's template; POST responds with what is stored. Changing the sender's address requires a recent sign-in.
 */
export const { loader, action } = endpoint({
  GET: method(
    { summary: "O modelo do e-mail de compra", needs: "read", answer, versioned: true, example: {} },
    ({ seller }) => show(seller.id),
  ),
  POST: method(
    {
      summary: "Muda o modelo do e-mail de compra",
      details:
        "O que não é enviado fica como está. Trocar o endereço do remetente pede uma sessão: nenhuma chave de API faz isso.",
      needs: "settings",
      ownerFor: "trocar o endereço do remetente",
      body: templateBody,
      max: MAX_SELLER_BODY,
      answer: successBody.extend(answer.shape).extend({ warning }),
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
    async ({ request, seller, readVersioned, requireOwner }) => {
      const { fields, version } = await readVersioned();
      const update = (saved: Template) => {
        const template = mergeTemplate(saved, fields);
        if (template.senderEmail !== saved.senderEmail) requireOwner();
        return template;
      };
      await saveMailSettings(seller.id, { key: null, update }, requestOrigin(request, seller), version);
      const current = await show(seller.id);
      const [template, brand] = await Promise.all([findTemplate(seller.id), findBrand(seller.id)]);
      const { hidden, isDefault, hasAccessLink } = await renderQueuedPreview(() =>
        previewTemplate(template, brand),
      );
      const noAccess = hasAccessLink ? [] : [NO_ACCESS_LINK_TEXT];
      const warnings = [
        ...(isDefault ? [OURS_TEXT] : noAccess),
        ...(hidden.length > 0 ? [hiddenText(hidden)] : []),
      ];
      return {
        ...{ success: true, ...current },
        ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
      };
    },
  ),
});

async function show(sellerId: string) {
  // Read at once: the version of what was saved in between would let its reader overwrite that unseen.
  const { id, shown, version } = await loadMailSettings(sellerId);
  const { sender_name, sender_email, subject, html_content } = shown;
  return { ...(id === null ? {} : { id }), sender_name, sender_email, subject, html_content, version };
}
