import { expect } from "vitest";
import { answersOf, type ReadAnswer } from "#tests/support/api-answers.ts";
import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import type { OddRequest } from "#tests/support/odd-requests.ts";

/** What a schema library says by itself, where a field should have said it in its own words. */
const FOREIGN =
  /Invalid input|Invalid option|Unrecognized key|Too (small|big)|expected (string|number|boolean|array|object)/;
/** Where a service outside is asked, it may have said no. */
const ASKS_OUTSIDE = /^\/(api\/(test|utmfy|payments)|settings|checkout|upsell|thank-you)/;
const AT_ONCE = 6;

/**
 * Sends requests, each as a client of its own, and expects of every answer that it is none of a bug: no 500, something to
 * read, in our words; what the API answers is what it publishes; nothing logged as a failure; nothing kept that cannot be shown.
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
  const ask = () => app.fetch(path, { ...init, headers });
  // A kept connection may be closed just as the next request leaves; a process that ended answers the second neither.
  const answer = await ask()
    .catch(ask)
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

/** Columns for text of several lines; JSON writes its line breaks as `\n`, so it is judged by the first rule alone. */
const SEVERAL_LINES =
  /^(description|benefits|html_content|.*_record|settings|payload|response_body|records|.*_sealed)$/;
