import { findTemplate } from "#app/domain/mail/find-template.server.ts";
import { saveTemplate } from "#app/domain/mail/save-template.server.ts";
import { templateForm, toTemplate } from "#app/domain/mail/template-form.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { requireApiSeller } from "#app/web/guards.server.ts";
import { SELLERS_BODY } from "#app/web/read-bytes.server.ts";

/** The purchase mail's template: `{id?, sender_name, sender_email, subject, html_content}`; POST answers with what is kept. */
export const { loader, action } = endpoint({
  GET: async ({ request }) => show((await requireApiSeller(request)).id),
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request);
    await saveTemplate(seller.id, toTemplate(await readJson(request, templateForm, SELLERS_BODY)));
    return { success: true, ...(await show(seller.id)) };
  },
});

async function show(sellerId: string) {
  const { id, senderName, senderEmail, subject, htmlContent } = await findTemplate(sellerId);
  return {
    ...(id === null ? {} : { id }),
    sender_name: senderName,
    sender_email: senderEmail,
    subject,
    html_content: htmlContent,
  };
}
