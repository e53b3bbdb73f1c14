import { z } from "zod";
import type { Family } from "#app/domain/outbox/own-destination.server.ts";
import { resendNews, resendSpan } from "#app/domain/outbox/resend-news.server.ts";
import { tellSubject } from "#app/domain/outbox/telling/tell-news.server.ts";
import { readNews } from "#app/domain/sale/read-news.server.ts";
import { startOfDay } from "#app/kit/dates.ts";
import { DAY } from "#app/kit/duration.ts";
import { parseForm } from "#app/web/forms.server.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";
import { redirectSaying } from "#app/web/session/flash.server.ts";

type Posted = { seller: { id: string }; id: string; form: FormData; request: Request };

export const DAYS_MISSING = "Informe o primeiro e o último dia.";

/** Sends one piece of news again, at once; then leads to `page`. */
export async function resendOne(
  family: Family,
  { seller, id, request }: Posted,
  newsId: string,
  page: string,
) {
  await throttle("outside-call", request, seller.id);
  await tellSubject(await resendNews(family, seller.id, id, newsId), readNews);
  return redirectSaying(page, "Reenviado: veja a resposta abaixo.");
}

const SPAN = z.object({
  from: z.iso.date("Informe o primeiro dia"),
  to: z.iso.date("Informe o último dia"),
  all: z.boolean().default(false),
});

/** Queues a span of news again; null where it is not said which. */
export async function resendMany(family: Family, { seller, id, form }: Posted, page: string) {
  const submission = parseForm(form, SPAN);
  if (submission.status !== "success") return null;
  const { from, to, all } = submission.value;
  // Noon in São Paulo, whose day begins at three or two in UTC.
  const [first, last] = [from, to].map((day) => startOfDay(new Date(`${day}T15:00:00Z`)));
  const n = await resendSpan(family, seller.id, id, {
    from: first!,
    to: new Date(last!.getTime() + DAY),
    all,
  });
  const said = n === 1 ? "1 aviso na fila" : `${n} avisos na fila`;
  return redirectSaying(page, n === 0 ? "Nada a reenviar neste período." : `${said} de reenvio.`);
}
