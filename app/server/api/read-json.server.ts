import type { z } from "zod";
import { Refusal } from "#app/kit/refusal.ts";
import { parseUntrusted } from "#app/kit/untrusted-json.ts";
import { reportIssue } from "#app/server/forms/report-issue.server.ts";
import { readBytes } from "#app/server/request/read-bytes.server.ts";

/**
 * Reads the request's JSON body by a schema, cleaned (`parseUntrusted`).
 * @throws Refusal invalid: what is wrong with the whole, else the first field; too-large above `max` bytes
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  schema: T,
  max?: number,
): Promise<z.output<T>> {
  return checkJson(await readBody(request, max), schema);
}

/** The same for a body that was read. @throws Refusal invalid */
export function checkJson<T extends z.ZodType>(body: unknown, schema: T): z.output<T> {
  const result = schema.safeParse(body, { error: reportIssue });
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ path }) => path.length === 0) ?? issues[0]!;
  throw new Refusal("invalid", issue.message, fieldName(issue.path) || undefined);
}

/** As our forms write it, and refusals of the domain: `orderBumps[0].price`. */
function fieldName(path: PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "");
}

async function readBody(request: Request, max = MAX_BODY): Promise<unknown> {
  const text = decodeStrictly(await readBytes(request, max));
  try {
    return parseUntrusted(text === "" ? "{}" : text);
  } catch {
    throw new Refusal("invalid", "O corpo do pedido não é um JSON válido");
  }
}

/** A name in another encoding would lose its accents, and be saved like that. */
function decodeStrictly(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("invalid", "O corpo do pedido deve ser um JSON em UTF-8, sem compressão");
  }
}

const MAX_BODY = 256 * 1024;

/**
 * The request's body unchanged, for signature checks; the caller cleans it. @throws Refusal too-large if it is longer
 * than `max` bytes
 */
export async function readText(request: Request, max = MAX_BODY): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, max));
}
