import { createHash } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { env } from "#app/platform/env.server.ts";
import { finish } from "#app/platform/shutdown.server.ts";
import { type BuyerAssets, buyerAssets } from "#app/web/buyer/assets.server.ts";
import { unavailablePage } from "#app/web/buyer/unavailable.server.ts";
import { readWhole, STRANGERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { wholeAnswer } from "#app/web/door/whole-answer.server.ts";
import { type Failure, retryHeaders, toFailure } from "#app/web/errors.server.ts";
import { inWords } from "#app/web/pages.server.ts";

/** How buyer pages look. Handed in by the routes, since ui and web do not know each other. */
export type Look<Parts extends object> = {
  Document: ComponentType<Parts & { styles: string[] } & Pick<BuyerAssets, "scripts">>;
  /** The parts of a document that tells a failure. */
  failure: (failure: Failure) => Parts;
};

/** Styles beside the stylesheet, and where frames may come from. */
type Extras = { css?: string[]; frames?: string[]; embeddable?: boolean };

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type Answer = (args: Args) => Promise<Response>;

/** What most buyers' pages are asked by. */
const READ_AND_POSTED = ["GET", "POST"];

/**
 * What the loader and action of a buyer's page answer with: a whole document and no hydration. `answer` gets a body that
 * has come in whole. What it throws becomes a designed page with the right status; a method not in `methods` is a 405.
 */
export function buyerPage<Parts extends object>(
  look: Look<Parts>,
  args: Args,
  answer: Answer,
  methods = READ_AND_POSTED,
): Promise<Response> {
  return finish(answered(look, args, answer, methods).then((said) => forScript(said, args.request)));
}

/** A page's script sends forms itself: it is told where to go next, and takes the browser there. */
function forScript(answer: Response, request: Request): Response {
  const isRedirect = answer.status === 302 || answer.status === 303;
  if (!isRedirect || request.headers.get("x-requested-with") !== "fetch") return answer;
  return new Response(null, { status: 204, headers: answer.headers });
}

async function answered<Parts extends object>(
  look: Look<Parts>,
  args: Args,
  answer: Answer,
  methods: string[],
): Promise<Response> {
  const { request } = args;
  if (!methods.includes(request.method === "HEAD" ? "GET" : request.method))
    return new Response(null, { status: 405, headers: { Allow: methods.join(", ") } });
  try {
    if (request.method !== "POST") return await answer(args);
    return await answer({ ...args, request: await readWhole(request, STRANGERS_BODY) });
  } catch (error) {
    return error instanceof Response ? error : failurePage(look, toFailure(error, request));
  }
}

function failurePage<Parts extends object>(look: Look<Parts>, failure: Failure): Response {
  // A refusal has its own words; only a database that is away gets the page that needs nothing.
  if (failure.status === 503 && failure.requestId) return unavailablePage();
  const page = renderPage(look, look.failure(failure));
  return respond(page, { status: failure.status, headers: retryHeaders(failure) });
}

/**
 * What an address of the desk without a screen of its own answers with: a file, a preview, a way back. What fails is a
 * designed page, too, where a browser shows the answer; the desk's script shows a failure on the screen it was sent from.
 */
export async function withoutScreen<Parts extends object>(
  look: Look<Parts>,
  args: Args,
  answer: Answer,
): Promise<Response> {
  const { request } = args;
  try {
    return await answer(args);
  } catch (error) {
    const isShown = request.headers.get("accept")?.includes("text/html");
    if (!(error instanceof Response)) {
      const failure = toFailure(error, request);
      if (isShown) return failurePage(look, failure);
      throw inWords(failure);
    }
    if (!isShown) throw error;
    if (error.status < 400) throw error;
    const retryAfter = Number(error.headers.get("retry-after"));
    return failurePage(look, { status: error.status, message: await error.text(), retryAfter });
  }
}

/** A rendered document and the policy that allows its styles, its script and nothing else. */
export type RenderedPage = { html: string; policy: string };

/** Renders a document. Its inlined styles are allowed by their hashes. */
export function renderPage<Parts extends object>(
  { Document }: Pick<Look<Parts>, "Document">,
  parts: Parts,
  extras: Extras = {},
): RenderedPage {
  const { css, scripts } = buyerAssets();
  const styles = [css, ...(extras.css ?? [])].filter((text) => text !== "");
  const html = `<!doctype html>${renderToStaticMarkup(<Document {...parts} styles={styles} scripts={scripts} />)}`;
  return { html, policy: policyFor(styles, extras) };
}

/** Answers with a document nobody keeps. */
export function respond(
  page: RenderedPage,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return wholeAnswer(page.html, {
    status: init.status ?? 200,
    headers: { ...pageHeaders(page.policy), "Cache-Control": "private, no-store", ...init.headers },
  });
}

/** What every buyer's document is sent with. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    "X-Frame-Options": policy.includes("frame-ancestors 'self'") ? "SAMEORIGIN" : "DENY",
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
  };
}

function policyFor(styles: string[], { frames = [], embeddable = false }: Extras): string {
  const hashes = styles.map((css) => `'sha256-${createHash("sha256").update(css).digest("base64")}'`);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${hashes.join(" ")}`,
    "img-src 'self' https: http: data:",
    "connect-src 'self'",
    `form-action 'self'${env.sandboxUrl ? ` ${env.sandboxUrl}` : ""}`,
    ...(frames.length > 0 ? ["media-src https:"] : []),
    `frame-src ${frames.length > 0 ? frames.join(" ") : "'none'"}`,
    `frame-ancestors '${embeddable ? "self" : "none"}'`,
    "base-uri 'none'",
    "object-src 'none'",
  ].join("; ");
}
