import { findTemplate } from "#app/domain/mail/template/find-template.server.ts";
import { saveTemplate } from "#app/domain/mail/template/save-template.server.ts";
import { templateForm, toTemplate } from "#app/domain/mail/template/template-form.server.ts";
import { endpoint, readJson } from "#app/web/api.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";
import { requireOwner } from "#app/web/session/recent-sign-in.server.ts";

/**
 * The purchase mail's template: `{id?, sender_name, sender_email, subject, html_content}`; POST answers with what is kept.
 * Another sender's address asks for a session that signed in a moment ago.
 */
export const { loader, action } = endpoint({
  GET: async ({ request }) => show((await requireApiSeller(request, "read")).id),
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    const template = toTemplate(await readJson(request, templateForm, SELLERS_BODY));
    if (template.senderEmail !== (await findTemplate(seller.id)).senderEmail) requireOwner(seller);
    await saveTemplate(seller.id, template, originOf(request));
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
