import { z } from "zod";
import { callProvider, failureOf, parseJson } from "#app/domain/gateway/providers/call-provider.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { pick } from "#app/kit/pick.ts";
import { env } from "#app/platform/env.server.ts";
import type { CallAnswer } from "#app/platform/http.server.ts";
import { log } from "#app/platform/log.server.ts";
import { countFromZero } from "#app/platform/measure-call.server.ts";

countFromZero("mercadopago");

/** Conflicts that are a refusal. After any other the order may exist, or the refund may be under way. */
const REFUSING_CONFLICTS = [
  "cannot_refund_order",
  "cannot_capture_order",
  "cannot_cancel_order",
  "operation_not_supported",
  "order_already_refunded",
  "order_already_cancelled",
];

/** What a seller can do about an error, by its code. */
const ADVICE: Record<string, string> = {
  "13253": "Cadastre uma chave Pix na sua conta do Mercado Pago.",
};

/** Each field by itself: one that is missing or of another type must not hide the reason. */
const text = z.string().nullish().catch(null);
const code = z.union([z.string(), z.int()]).transform(String).nullish().catch(null);
const errorBody = z.object({
  message: text,
  errors: z
    .array(z.object({ code, message: text, details: z.array(z.unknown()).nullish().catch(null) }).catch({}))
    .catch([]),
  cause: z.array(z.object({ code }).catch({})).catch([]),
});

/**
 * Calls Mercado Pago's API once.
 * @param post its `idempotencyKey`, and as `acceptedStatus` one beyond 2xx that is an answer and no error. A key is used up by its
 * first call: repeated, it is refused and not answered again
 * @param file limits of an answer that is a file
 * @throws ProviderError unless the answer is 2xx, or 404 to a GET
 */
export async function callMercadopago(
  accessToken: string,
  method: "GET" | "POST",
  path: string,
  post?: {
    idempotencyKey: string;
    body?: object | FormData;
    acceptedStatus?: number;
    headers?: Record<string, string>;
  },
  file?: { maxBytes: number },
): Promise<CallAnswer> {
  const answer = await callProvider({
    ...{ service: "mercadopago", baseUrl: env.MERCADOPAGO_BASE_URL, method, path, body: post?.body, ...file },
    headers: {
      Authorization: `Bearer ${accessToken}`,
      ...(post ? { "X-Idempotency-Key": post.idempotencyKey } : {}),
      ...post?.headers,
    },
    // A partial refund makes two calls. A card is asked about at its bank; files take a while.
    timeoutMs: (post?.acceptedStatus === 402 || post?.body instanceof FormData || file ? 12 : 6) * SECOND,
  });
  const { status } = answer;
  if (status === post?.acceptedStatus) return answer;
  if ((status >= 200 && status < 300) || (method === "GET" && status === 404)) return answer;
  const { reason, codes } = readError(answer);
  // Their support asks for this id.
  const providerRequestId = answer.headers.get("x-request-id");
  log.warn({ status, codes, providerRequestId }, "mercadopago refused a call");
  const isRefusingConflict = status === 409 && codes.some((code) => REFUSING_CONFLICTS.includes(code));
  throw failureOf(method, answer, reason, isRefusingConflict);
}

/** `{errors: [{code, message, details}]}` of orders, or `{message, cause: [{code}]}`. `reason` is null where it is neither. */
function readError(answer: CallAnswer): { reason: string | null; codes: string[] } {
  const { message, errors = [], cause = [] } = errorBody.safeParse(parseJson(answer.body)).data ?? {};
  const codes = [...errors, ...cause].flatMap(({ code }) => code ?? []);
  const details = errors.flatMap((error) => error.details ?? []).filter((one) => typeof one === "string");
  const ownText = [errors[0]?.message || message, ...details].filter(Boolean).join(": ");
  const advice = codes.map((code) => pick(ADVICE, code)).find(Boolean);
  return { reason: advice ?? (ownText || (codes[0] ?? null)), codes };
}
