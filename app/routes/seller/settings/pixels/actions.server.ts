import { z } from "zod";
import { NEWS_EVENTS } from "#app/db/schema/lists.ts";
import { showPixel } from "#app/domain/outbox/pixel/list-pixels.server.ts";
import { pixelForm } from "#app/domain/outbox/pixel/pixel-form.server.ts";
import { savePixel } from "#app/domain/outbox/pixel/save-pixel.server.ts";
import { testPixel } from "#app/domain/outbox/pixel/test-pixel.server.ts";
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
import type { KeptReply } from "#app/ui/seller/form/kept-form.tsx";
import { conflictResult, isStale, shownVersion } from "#app/web/conflict.server.ts";
import { originOf } from "#app/web/door/origin.server.ts";
import { toFailure } from "#app/web/errors.server.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";
import { requireRecentSignIn } from "#app/web/session/recent-sign-in.server.ts";

/** Does what a button of a pixel's page asks for. */
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
    await savePixel(seller.id, id, submission.value, originOf(request), shownVersion(form));
  } catch (error) {
    if (isStale(error)) {
      const pixel = await showPixel(seller.id, id);
      const stands = { saved: pixelDefaults(pixel), version: pixel.version };
      const result = conflictResult(submission, form, stands, FIELDS, ["token"]);
      return reply({ result: await withoutToken(posted, result) }, 409);
    }
    if (!(error instanceof Refusal) || error.kind === "not-found") throw error;
    const { message, field, status } = toFailure(error, request);
    const said = field ? { fieldErrors: { [field]: [message] } } : { formErrors: [message] };
    return reply({ result: await withoutToken(posted, submission.reply(said)) }, status);
  }
  return redirectSaying(paths.pixel(id, "tab=configuracao"), "Pixel salvo com sucesso!");
}

/** What was typed goes back to the page, but for the token: the saved one's mask stands in its place. */
async function withoutToken({ seller, id }: Posted, result: KeptReply): Promise<KeptReply> {
  const { token } = await showPixel(seller.id, id);
  return { ...result, initialValue: { ...result.initialValue, token } };
}

const TEST = z.object({
  event: z.enum(NEWS_EVENTS),
  code: z.string().max(500).default(""),
});

async function test({ seller, id, form, request }: Posted) {
  const submission = parseForm(form, TEST);
  if (submission.status !== "success") throw new Response("Evento desconhecido", { status: 400 });
  await throttle("outside-call", request, seller.id);
  const { event, code } = submission.value;
  const { status, words } = await testPixel(seller.id, id, event, cleanPasted(code));
  if (status === "sent")
    return redirectSaying(paths.pixel(id), "Teste aceito: o serviço recebeu o evento e não viu erro nele.");
  const again = status === "queued" ? " Vamos tentar de novo sozinhos." : "";
  return reply({ tried: { success: false, message: `O teste não passou. ${words.text ?? ""}${again}` } });
}
