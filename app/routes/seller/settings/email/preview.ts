import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { pageTemplateForm, toTemplate, withEditor } from "#app/domain/mail/template/template-form.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { parseForm, readPostedForm } from "#app/server/forms/forms.server.ts";
import { limitPreviews, renderQueuedPreview } from "#app/server/limits/limit-previews.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";
import { requireApiSeller } from "#app/server/session/guards.server.ts";

/** The unsaved template with example data, for the live preview. Nothing is stored. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    await limitPreviews(request, seller.id);
    const posted = withEditor(await readPostedForm(request, MAX_SELLER_BODY));
    const brand = await findBrand(seller.id);
    return renderQueuedPreview(() => {
      const submission = parseForm(posted, pageTemplateForm);
      if (submission.status !== "success") {
        const first = Object.values(submission.error ?? {}).flat()[0];
        throw new Refusal("invalid", String(first ?? "Modelo inválido"));
      }
      return previewTemplate(toTemplate(submission.value), brand);
    });
  },
});
