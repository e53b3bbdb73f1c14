import { z } from "zod";
import { parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { callMercadopago } from "#app/domain/gateway/providers/mercadopago/call-mercadopago.server.ts";
import { FAILED, READY, SETTINGS } from "#app/domain/gateway/providers/mercadopago/statement/columns.ts";
import { readLines } from "#app/domain/gateway/providers/mercadopago/statement/read-lines.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { Span, StatementSource } from "#app/domain/gateway/providers/statement-port.ts";
import { SECOND } from "#app/kit/duration.ts";

const PATH = "/v1/account/settlement_report";
const MAX_BYTES = 32 * 1024 * 1024;

const id = z.union([z.string().regex(/^[\w-]{1,50}$/), z.int().transform(String)]);
const fileName = z.string().regex(/^[\w-][\w.-]{0,199}$/);
const task = z.object({
  id,
  status: z.string().nullish().catch(null),
  file_name: fileName.nullish().catch(null),
  files: z
    .array(z.object({ type: z.string(), name: fileName }))
    .nullish()
    .catch(null),
});
const listed = z.looseObject({ id, begin_date: z.coerce.date(), end_date: z.coerce.date() });

/**
 * The report "Dinheiro em conta". Source: Mercado Pago's documentation (devsite-docs `reports/account-money/api.pt.md`) and what was
 * observed: the report of a day takes minutes, the first one of an account hours, and it may contain some hours before and
 * after its day.
 */
export const statement: StatementSource = {
  async request({ apiKey }, span) {
    const body = { begin_date: toMoment(span.begin), end_date: toMoment(span.end) };
    const post = { idempotencyKey: crypto.randomUUID(), body, acceptedStatus: 404 };
    const answer = await callMercadopago(apiKey, "POST", PATH, post);
    if (answer.status !== 404) return readTask(answer.body).id;
    // An account that never had a report has no settings of reports; existing ones are the seller's and stay as they are.
    await callMercadopago(apiKey, "POST", `${PATH}/config`, {
      ...{ idempotencyKey: crypto.randomUUID(), body: SETTINGS },
    });
    return null;
  },

  async findRequest({ apiKey }, span) {
    const answer = await callMercadopago(apiKey, "GET", `${PATH}/list`);
    const reports = z.array(z.unknown()).safeParse(parseJson(answer.body));
    if (!reports.success) throw new ProviderError("nonsense", `a list of reports answered ${answer.status}`);
    const known = reports.data.flatMap((one) => listed.safeParse(one).data ?? []);
    const found = known.filter((one) => isSpan(span, one.begin_date, one.end_date));
    // An older one may have failed.
    return found.sort((a, b) => Number(b.id) - Number(a.id))[0]?.id ?? null;
  },

  async findFile({ apiKey }, taskId) {
    const answer = await callMercadopago(apiKey, "GET", `${PATH}/task/${encodeURIComponent(taskId)}`);
    if (answer.status === 404) return "failed";
    const { status, file_name, files } = readTask(answer.body);
    const state = status?.toLowerCase() ?? "";
    if (FAILED.includes(state)) return "failed";
    const file = file_name ?? files?.find(({ type }) => type.toLowerCase() === "csv")?.name;
    return READY.includes(state) && file ? { file } : "waiting";
  },

  async read({ apiKey }, file) {
    const path = `${PATH}/${encodeURIComponent(file)}`;
    const answer = await callMercadopago(apiKey, "GET", path, undefined, { maxBytes: MAX_BYTES });
    if (answer.status === 404) throw new ProviderError("nonsense", "404: o extrato não está mais lá");
    return readLines(answer.body);
  },
};

function readTask(body: string): z.infer<typeof task> {
  const read = task.safeParse(parseJson(body));
  if (!read.success) throw new ProviderError("nonsense", "a request of a report without its id");
  return read.data;
}

/** Without milliseconds: they are refused. */
function toMoment(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, "Z");
}

function isSpan({ begin, end }: Span, from: Date, to: Date): boolean {
  const isSame = (a: Date, b: Date) => Math.abs(a.getTime() - b.getTime()) < 2 * SECOND;
  return isSame(begin, from) && isSame(end, to);
}
