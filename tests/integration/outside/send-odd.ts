import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import type { OddRequest } from "#tests/integration/outside/odd-requests.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";

/** The default messages of a schema library, which a field should replace by its own. */
const FOREIGN =
  /Invalid input|Invalid option|Unrecognized key|Too (small|big)|expected (string|number|boolean|array|object)/;
/** If a service outside is called, it may have refused. */
const ASKS_OUTSIDE = /^\/(api\/(test|utmfy|payments)|settings|checkout|upsell|thank-you)/;
const AT_ONCE = 6;

/**
 * Sends requests, each as its own client, and expects no answer that shows a bug: no 500, a readable text, our own
 * messages; the API answers as published; no failure is logged; nothing is stored that cannot be shown.
 */
export async function expectNoFailure(app: App, requests: OddRequest[]): Promise<void> {
  const wrong: string[] = [];
  const readAnswer = await answersOf(app);
  let next = 0;
  const sender = async () => {
    for (let at = next++; at < requests.length; at = next++) {
      const problem = await problemOf(app, requests[at]!, at, readAnswer);
      if (problem) wrong.push(`${requests[at]!.what}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  expect(wrong).toEqual([]);
  const failures = app.log().filter(({ level }) => Number(level) >= 50);
  expect(failures.map(({ path, err }) => [path, JSON.stringify(err)])).toEqual([]);
  expect(await unshowable()).toEqual([]);
  expect((await app.fetch("/readyz")).status).toBe(200);
}

async function problemOf(
  app: App,
  { path, init }: OddRequest,
  client: number,
  readAnswer: ReadAnswer,
): Promise<string | null> {
  const headers = {
    ...init.headers,
    "X-Forwarded-For": `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
  };
  const send = () => app.fetch(path, { ...init, headers });
  // A keep-alive connection may be closed just as the next request is sent; a process that ended answers neither the
  // second.
  const answer = await send()
    .catch(send)
    .catch((error: Error) => String(error.cause ?? error));
  if (typeof answer === "string") return answer;
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
  if (isStream) await answer.body?.cancel();
  const text = isStream ? "stream" : await answer.text();
  const { status } = answer;
  if (status >= 500 && !(status < 505 && status > 500 && ASKS_OUTSIDE.test(path)))
    return `${status} ${text.slice(0, 200)}`;
  if (text === "" && ![204, 302, 303, 304, 405].includes(status)) return `${status} and nothing to read`;
  if (status >= 400 && FOREIGN.test(text)) return `${status} ${FOREIGN.exec(text)![0]}`;
  if (path.startsWith("/api/")) return readAnswer(init.method ?? "GET", path, status, text);
  const isPage = answer.headers.get("content-type")?.startsWith("text/html");
  if (status === 400 && isPage && !/role="alert"|aria-invalid="true"|<h1/.test(text))
    return "400 and no word why";
  return null;
}

/** Texts in the database that no page could show, by table and column. */
async function unshowable(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const found = new Set<string>();
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: Record<string, unknown> }[]>(
      `select to_jsonb(r) as row from "${name}" r`,
    );
    for (const { row } of rows) {
      for (const [column, value] of Object.entries(row)) {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        if (/(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(text)) found.add(`${name}.${column}`);
        if (!SEVERAL_LINES.test(column) && /[\t\n\r\u2028\u202a-\u202e]/.test(text))
          found.add(`${name}.${column} of one line`);
      }
    }
  }
  return [...found];
}

/** Columns for text of several lines; JSON writes its line breaks as `\n`, so only the first rule applies to it. */
const SEVERAL_LINES =
  /^(description|benefits|html_content|.*_record|settings|payload|response_body|records|.*_sealed)$/;

type Document = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
/** What is wrong with an answer of the API; null if it is as published. */
export type ReadAnswer = (method: string, path: string, status: number, text: string) => string | null;

/** Reads answers of the API by the description that the running app publishes itself. */
export async function answersOf(app: App): Promise<ReadAnswer> {
  const document = (await (await app.fetch("/api/openapi.json")).json()) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "api");
  // `/checkout/products/s/{slug}` before `/checkout/products/{id}`: literals before parameters.
  const paths = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);
  return (method, path, status, text) => {
    // As the router does, which ignores a trailing slash.
    const parts = path.split(/[?#]/)[0]!.replace(/\/$/, "").split("/");
    const found = paths.find((one) => fits(one.split("/"), parts));
    const responses = found ? document.paths[found]?.[method.toLowerCase()]?.responses : undefined;
    // An unknown address or method is only refused.
    const key = responses?.[status] ? String(status) : "default";
    if (responses && status < 400 && key === "default") return `status ${status} is not published`;
    const at = responses
      ? `api#/paths/${pointer(found!)}/${method.toLowerCase()}/responses/${key}/content/application~1json/schema`
      : "api#/components/schemas/Refusal";
    const check = ajv.getSchema(at);
    if (!check) return `nothing is published at ${at}`;
    return check(JSON.parse(text)) ? null : `${ajv.errorsText(check.errors)} in ${text.slice(0, 300)}`;
  };
}

function fits(pattern: string[], parts: string[]): boolean {
  return (
    pattern.length === parts.length && pattern.every((one, at) => one.startsWith("{") || one === parts[at])
  );
}

function pointer(path: string): string {
  return encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));
}
