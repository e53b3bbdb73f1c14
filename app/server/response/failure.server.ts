import { isUnavailable } from "#app/db/errors.server.ts";
import { Refusal, type RefusalKind } from "#app/kit/refusal.ts";
import { log } from "#app/platform/log.server.ts";
import { newRequestId, requestId } from "#app/platform/request-id.server.ts";
import { StorageUnavailable } from "#app/platform/storage/blob-store.ts";
import { requestPattern } from "#app/server/pipeline/guard-requests.server.ts";

const STATUS: Record<RefusalKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  "too-large": 413,
  mismatch: 422,
  "too-many": 429,
  unavailable: 503,
};

/** What an error means for whoever sent the request. `message` is Portuguese and reveals nothing internal. */
export type Failure = {
  status: number;
  message: string;
  field?: string;
  retryAfter?: number;
  code?: string;
  requestId?: string;
};

/** The failure of a refusal. @throws the error if it is none */
export function toRefusalFailure(error: unknown, request: Request): Failure {
  if (!(error instanceof Refusal)) throw error;
  return toFailure(error, request);
}

/** Turns a thrown value into a failure; unexpected errors are logged with the id that the answer carries. */
export function toFailure(error: unknown, request: Request): Failure {
  if (error instanceof Refusal)
    return {
      status: STATUS[error.kind],
      message: error.message,
      ...(error.field ? { field: error.field } : {}),
      ...(error.retryAfter ? { retryAfter: error.retryAfter } : {}),
      ...(error.code ? { code: error.code } : {}),
    };
  const id = logFailure(error, request);
  if (error instanceof StorageUnavailable)
    return {
      status: 503,
      message:
        "Os arquivos estão fora de alcance por um instante. Nada se perdeu: tente de novo em um minuto.",
      retryAfter: 60,
      requestId: id,
      code: "storage_away",
    };
  if (isUnavailable(error)) {
    return {
      status: 503,
      message: "Estamos fora do ar por um instante. Tente de novo em alguns segundos.",
      retryAfter: 5,
      requestId: id,
    };
  }
  return { status: 500, message: "Erro interno. Tente novamente.", requestId: id };
}

/** `Retry-After`, if the failure has one. */
export function retryHeaders({ retryAfter }: Pick<Failure, "retryAfter">): Record<string, string> {
  return retryAfter ? { "Retry-After": String(retryAfter) } : {};
}

/** What is undone where a request fails, by its id: of the newest requests, since one that succeeds removes nothing. */
const undos = new Map<string, () => void>();
const MAX_UNDOS = 500;

/** Has `undo` run once if the current request fails unexpectedly. */
export function onFailure(undo: () => void): void {
  const id = requestId();
  if (!id) return;
  undos.set(id, undo);
  const [oldest] = undos.keys();
  if (undos.size > MAX_UNDOS) undos.delete(oldest!);
}

function undo(id: string): void {
  const run = undos.get(id);
  undos.delete(id);
  run?.();
}

/** Logs an unexpected error. @returns the id to find it by */
export function logFailure(error: unknown, request: Request): string {
  const id = requestId() ?? newRequestId();
  undo(id);
  const at = { requestId: id, method: request.method, route: requestPattern(request) };
  if (isUnavailable(error) && !(error instanceof StorageUnavailable))
    log.warn({ ...at, err: error }, "database unavailable");
  else log.error({ ...at, err: error }, "request failed");
  return id;
}
