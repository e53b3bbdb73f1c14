import { z } from "zod";
import type { Family } from "#app/domain/delivery/kind.ts";
import { MAX_RESENT, resendDeliveries, resendNow } from "#app/domain/delivery/resend-delivery.server.ts";
import { readNotification } from "#app/domain/sale/notification/read-notification.server.ts";
import { startOfDay } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";
import { parseForm } from "#app/server/forms/forms.server.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";
import { redirectWithMessage } from "#app/server/session/flash.server.ts";

type Posted = { family: Family; seller: { id: string }; id: string; form: FormData; request: Request };

export const DAYS_MISSING = "Informe o primeiro e o último dia, nesta ordem.";

/** Sends one delivery again, at once, with whatever of its sale is waiting before it. */
export async function resendOne({ family, seller, id, request }: Posted, deliveryId: string) {
  await throttle("outside-call", request, seller.id);
  const place = { destinationId: id, deliveryId };
  const unsent = await resendNow(family, seller.id, place, readNotification);
  // The same page of the log, with this delivery open.
  const query = new URLSearchParams([...logPage(request), ["entry", deliveryId]]).toString();
  const log = `${paths.destination(family, id, query)}#${deliveryId}`;
  if (unsent) return redirectWithMessage(log, unsent, "error");
  return redirectWithMessage(log, "Reenviado: veja a resposta abaixo.");
}

/** The part of a page's query that says which page of the log it shows. */
function logPage(request: Request): [string, string][] {
  const posted = new URL(request.url).searchParams;
  return ["before", "after"].flatMap((side) => (posted.has(side) ? [[side, posted.get(side)!]] : []));
}

/** The address of the page of the log from which a button was pressed. */
export function sameLogPage({ family, id, request }: Pick<Posted, "family" | "id" | "request">): string {
  return paths.destination(family, id, new URLSearchParams(logPage(request)).toString());
}

const SPAN = z
  .object({ from: z.iso.date(), to: z.iso.date(), all: z.boolean().default(false) })
  .refine(({ from, to }) => from <= to);

/** Queues the deliveries of a time span again; null if no valid span is given. */
export async function resendMany({ family, seller, id, form }: Posted) {
  const submission = parseForm(form, SPAN);
  if (submission.status !== "success") return null;
  const { from, to, all } = submission.value;
  // 15:00 UTC is noon in São Paulo, whose day begins at three or two in UTC.
  const [first, last] = [from, to].map((day) => startOfDay(new Date(`${day}T15:00:00Z`)));
  const span = { from: first!, to: new Date(last!.getTime() + DAY), all };
  const n = await resendDeliveries(family, seller.id, id, span);
  const page = paths.destination(family, id);
  const message = n === 1 ? "1 aviso na fila" : `${n.toLocaleString("pt-BR")} avisos na fila`;
  const more = n < MAX_RESENT ? "" : " São os mais antigos: para os demais, escolha um período mais curto.";
  return redirectWithMessage(
    page,
    n === 0
      ? "Nada a reenviar neste período. Avisos antigos demais não são mais enviados."
      : `${message} de reenvio.${more}`,
  );
}
