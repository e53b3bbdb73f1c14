import type { Request, Response } from "express";
import type { Service } from "./calls.ts";
import { SECOND } from "./time.ts";

/**
 * One rule set by `POST /control/faults`.
 *
 * - `mode`: `http-500 | http-429 | http-422 | timeout | reset | malformed | status-XXX`, or `slow-XXX`: the usual response,
 *   XXX milliseconds late.
 * - `times`: how many more responses fail; 0 ends the rule.
 * - `route`: only this route (`cashIn`, `transaction`, `refund`, `orders`, `emails`, `token`, ...); all routes when absent.
 * - `after`: do the work first, then fail, as when the charge was created but the response got lost.
 * - `body`: the body of `status-XXX`, in place of the service's usual error.
 */
export interface Fault {
  service: Service;
  mode: string;
  times: number;
  route?: string;
  after?: boolean;
  body?: unknown;
}

/** Milliseconds until `timeout` closes the connection without a response. */
const SILENCE = 30 * SECOND;

/** Fails one request according to the rule. Every mode ends the request. */
export function failWith(rule: Fault, request: Request, response: Response) {
  if (rule.mode === "timeout") {
    setTimeout(() => request.socket.destroy(), SILENCE).unref();
    return;
  }
  if (rule.mode === "reset") {
    request.socket.resetAndDestroy();
    return;
  }
  if (rule.mode === "malformed") {
    response.status(200).type("application/json").end('{"id":"9c1f');
    return;
  }
  const status = Number(rule.mode.split("-")[1]);
  if (status >= 300 && status < 400) response.set("location", "/receiver/elsewhere");
  if (status === 429) response.set("retry-after", "1");
  const body =
    rule.mode.startsWith("status-") && rule.body !== undefined ? rule.body : errorOf(rule.service, status);
  if (typeof body === "string") response.status(status).type("text/plain").end(body);
  else response.status(status).json(body);
}

/** A service's error body for a status. Sources: the services' documentation, Laravel's errors (PushinPay), RFC 6749 5.2. */
function errorOf(service: Service, status: number) {
  if (service === "resend") return { statusCode: status, ...(RESEND_ERRORS[status] ?? RESEND_ERRORS[500]) };
  if (service === "identity")
    return { error: "server_error", error_description: "oops! something went wrong" };
  if (service === "receiver") return { error: status };
  if (service === "woovi") return { error: status === 401 ? "appID inválido" : "Ocorreu um erro" };
  if (service === "mercadopago")
    return {
      errors: [{ code: status === 401 ? "unauthorized" : "internal_error", message: "An error occurred" }],
    };
  if (service === "meta")
    return {
      error: { message: "An unknown error occurred", type: "OAuthException", code: 1, fbtrace_id: "A" },
    };
  if (service === "ga4") return "";
  if (service === "tiktok") return { code: 50000, message: "System error", request_id: "1" };
  if (service === "kwai") return { result: 100110000, error_msg: "system error" };
  if (service === "cademi") return { success: false, code: status, msg: "Erro interno" };
  if (service === "memberkit") return { error: "Internal Server Error" };
  if (service === "utmify") return { OK: false, result: "ERROR", message: "INTERNAL_ERROR" };
  return PUSHINPAY_ERRORS[status] ?? { message: "Server Error" };
}

const PUSHINPAY_ERRORS: Record<number, object> = {
  401: { message: "Unauthenticated." },
  422: {
    message: "Não foi possível processar a solicitação.",
    errors: { value: ["Não foi possível processar a solicitação."] },
  },
  429: { message: "Too Many Attempts." },
};

const RESEND_ERRORS: Record<number, { name: string; message: string }> = {
  403: { name: "validation_error", message: "The domain is not verified." },
  422: { name: "missing_required_field", message: "Missing `to` field." },
  429: {
    name: "rate_limit_exceeded",
    message: "Too many requests. You can only make 5 requests per second.",
  },
  500: { name: "internal_server_error", message: "An unexpected error occurred." },
  503: { name: "service_unavailable", message: "Service unavailable." },
};
