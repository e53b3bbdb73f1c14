/** What kind of expected "no" it is; `web` turns each into its HTTP status. */
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
 * An expected "no": the message is Portuguese, for the person who asked. Everything else that is thrown is a bug.
 * `field` names the form field it is about; `retryAfter` is in seconds; `code` tells programs which "no" it is where the
 * status alone does not.
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

/** Somebody else's thing and a thing that does not exist are the same answer. */
export function notFound(message = "Não encontrado"): Refusal {
  return new Refusal("not-found", message);
}

/** An outside service's "no" as it is told: our words first, theirs as a detail. */
export function withTheirWords(ours: string, theirs: string): string {
  return theirs.trim() ? `${ours} Resposta do serviço: “${theirs.trim()}”` : ours;
}
