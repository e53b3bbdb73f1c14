import { z } from "zod";
import { DELIVERY_EVENTS } from "#app/db/schema/lists.ts";
import { showPixel } from "#app/domain/delivery/pixel/list-pixels.server.ts";
import { pixelForm } from "#app/domain/delivery/pixel/pixel-form.server.ts";
import { savePixel } from "#app/domain/delivery/pixel/save-pixel.server.ts";
import { testPixel } from "#app/domain/delivery/pixel/test-pixel.server.ts";
import { cleanPasted } from "#app/kit/pasted.ts";
import { paths } from "#app/kit/paths.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { pixelDefaults } from "#app/routes/seller/settings/pixels/loader.server.ts";
import {
  type Action,
  commonActions,
  type Posted,
  reply,
  runAction,
} from "#app/routes/seller/settings/webhooks/destination-actions.server.ts";
import { conflictResult, formVersion, isStale } from "#app/server/forms/conflict.server.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { requestOrigin } from "#app/server/request/request-origin.server.ts";
import { toFailure } from "#app/server/response/failure.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";
import { requireRecentSignIn } from "#app/server/session/recent-sign-in.server.ts";
import type { FormReply } from "#app/ui/seller/form/restored-form.tsx";

/** Runs the action of a button of a pixel's page. */
export const runPixelAction = (posted: Posted) => runAction(PIXEL_ACTIONS, posted);

const PIXEL_ACTIONS: Record<string, Action> = {
  ...commonActions(
    "pixel",
    { own: (id) => paths.pixel(id), all: paths.pixels },
    {
      paused: "Pixel pausado: nada mais é enviado.",
      resumed: "Pixel reativado: as próximas vendas são informadas.",
      deleted: "Pixel excluído.",
    },
  ),
  save,
  test,
};

const FIELDS = {
  name: "Nome",
  pixel_id: "Código do pixel",
  token: "Token",
  events: "Eventos",
  counts_pix: "Contar PIX gerado como compra",
  scope: "Produtos",
  products: "Produtos marcados (números)",
};

async function save(posted: Posted) {
  const { seller, id, form, request } = posted;
  const submission = parseForm(form, pixelForm);
  if (submission.status !== "success")
    return reply({ result: await withoutToken(posted, submission.reply()) }, 400);
  await requireRecentSignIn(posted, "pixel");
  try {
    await savePixel(seller.id, id, submission.value, requestOrigin(request), formVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const pixel = await showPixel(seller.id, id);
      const current = { saved: pixelDefaults(pixel), version: pixel.version };
      const result = conflictResult(submission, form, current, FIELDS, ["token"]);
      return reply({ result: await withoutToken(posted, result) }, 409);
    }
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field, status } = toFailure(error, request);
    const errors = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return reply({ result: await withoutToken(posted, submission.reply(errors)) }, status);
  }
  return redirectWithMessage(paths.pixel(id, "tab=configuracao"), "Pixel salvo com sucesso!");
}

/** What was typed is sent back, except the token: the saved one's mask takes its place. */
async function withoutToken({ seller, id }: Posted, result: FormReply): Promise<FormReply> {
  const { token } = await showPixel(seller.id, id);
  return { ...result, initialValue: { ...result.initialValue, token } };
}

const TEST = z.object({
  event: z.enum(DELIVERY_EVENTS),
  code: z.string().max(500).default(""),
});

async function test({ seller, id, form, request }: Posted) {
  const submission = parseForm(form, TEST);
  if (submission.status !== "success") throw new Response("Evento desconhecido", { status: 400 });
  await throttle("outside-call", request, seller.id);
  const { event, code } = submission.value;
  const { status, text: outcome } = await testPixel(seller.id, id, event, cleanPasted(code));
  if (status === "sent")
    return redirectWithMessage(
      paths.pixel(id),
      "Teste aceito: o serviço recebeu o evento e não viu erro nele.",
    );
  const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return reply({
    testResult: { success: false, message: `O teste não passou. ${outcome.text ?? ""}${again}` },
  });
}
