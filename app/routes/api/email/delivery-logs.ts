import { z } from "zod";
import { periodOf, readRange } from "#app/domain/reports/figures/period.ts";
import {
  listMailLog,
  MAIL_LOG_FILTERS,
  type MailLogFilter,
  readMailLogStatus,
} from "#app/domain/reports/list-mail-log.server.ts";
import { toMailLogJson } from "#app/domain/reports/sale-json.ts";
import { CURSORS, readCursors } from "#app/kit/paginate.ts";
import { mailLogAnswer } from "#app/routes/api/sale-answers.server.ts";
import { endpoint, json } from "#app/server/api/endpoint.server.ts";
import { pageQuery, readLimit, saleCursorLinks } from "#app/server/api/paging.server.ts";
import { rangeQuery } from "#app/server/openapi/answers.server.ts";
import { method } from "#app/server/openapi/method.server.ts";

const query = z.object({
  range: rangeQuery.shape.range.unwrap().optional().meta({ description: "Período até hoje; sem ele, tudo" }),
  status: z.enum(MAIL_LOG_FILTERS).optional().meta({ description: "Como saiu, como em delivery_status" }),
  ...pageQuery(CURSORS.timeAndId).shape,
});

/** The seller's mails to buyers, newest first: all, or those of a `range`; paginated. */
export const { loader, action } = endpoint({
  GET: method(
    {
      summary: "Os e-mails aos compradores, do mais novo ao mais antigo",
      needs: "read",
      query,
      answer: z.array(mailLogAnswer),
      paged: true,
      example: { query: { limit: "2" } },
    },
    async ({ request, seller }) => {
      const url = new URL(request.url);
      const range = url.searchParams.get("range");
      const filter: MailLogFilter = {
        period: range ? periodOf(readRange(range), new Date()) : null,
        status: readMailLogStatus(url.searchParams.get("status")),
      };
      const page = await listMailLog(seller.id, filter, {
        limit: readLimit(url),
        ...readCursors(url.searchParams),
      });
      return json(
        page.items.map((mail) => toMailLogJson(mail, mail)),
        200,
        saleCursorLinks(url, page),
      );
    },
  ),
});
