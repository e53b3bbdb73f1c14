import { findBrand } from "#app/domain/mail/template/find-brand.server.ts";
import { previewTemplate } from "#app/domain/mail/template/preview-template.server.ts";
import { pageTemplateForm, toTemplate, withEditor } from "#app/domain/mail/template/template-form.server.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { endpoint } from "#app/web/api.server.ts";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { parseForm, postedForm } from "#app/web/forms.server.ts";
import { drawPreview, throttlePreview } from "#app/web/limits/draw-preview.server.ts";
import { requireApiSeller } from "#app/web/session/guards.server.ts";

/** The template being written, filled in with example data, for the live preview. Nothing is kept. */
export const { loader, action } = endpoint({
  POST: async ({ request }) => {
    const seller = await requireApiSeller(request, "settings");
    await throttlePreview(request, seller.id);
    const posted = withEditor(await postedForm(request, SELLERS_BODY));
    const brand = await findBrand(seller.id);
    return drawPreview(() => {
      const submission = parseForm(posted, pageTemplateForm);
      if (submission.status !== "success") {
        const first = Object.values(submission.error ?? {}).flat()[0];
        throw new Refusal("invalid", String(first ?? "Modelo inválido"));
      }
      return previewTemplate(toTemplate(submission.value), brand);
    });
  },
});
