/** The kind of an expected "no"; `server` turns each into its HTTP status. */
export type RefusalKind =
  | "invalid"
  | "unauthorized"
  | "not-found"
  | "forbidden"
  | "conflict"
  | "mismatch"
  | "too-large"
  | "too-many"
  | "unavailable";

/**
 * An expected "no": the message is Portuguese, for the user. Every other thrown error is a bug. `field` names the form
 * field it is about; `retryAfter` is in seconds; `code` tells programs which "no" it is if the status alone does not.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly code: string | undefined;

  constructor(kind: RefusalKind, message: string, field?: string, retryAfter?: number, code?: string) {
    super(message);
    this.name = "Refusal";
    this.kind = kind;
    this.field = field;
    this.retryAfter = retryAfter;
    this.code = code;
  }
}

/** The same refusal for another seller's object and one that does not exist. */
export function notFound(message = "Não encontrado"): Refusal {
  return new Refusal("not-found", message);
}

/** An outside service's "no": our message first, theirs as a detail. */
export function withServiceMessage(ours: string, theirs: string): string {
  return theirs.trim() ? `${ours} Resposta do serviço: “${theirs.trim()}”` : ours;
}
