import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { POLICY_REPORTS_PATH } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";
import { trackWork } from "#app/platform/shutdown.server.ts";
import { takeTurn } from "#app/platform/take-turn.server.ts";
import { unavailablePage } from "#app/server/pages/unavailable-page.server.ts";
import { bufferRequest, MAX_PUBLIC_BODY } from "#app/server/request/read-bytes.server.ts";
import { bufferedResponse } from "#app/server/response/buffered-response.server.ts";
import { type Failure, retryHeaders, toFailure } from "#app/server/response/failure.server.ts";
import { failureResponse } from "#app/server/response/failure-response.server.ts";

/**
 * The buyer pages' inlined stylesheet and the addresses of their scripts: `form` for pages with a buyer form, `card` for
 * the card's page, `purchase` for the others. Created by scripts/build.ts.
 */
type BuyerAssets = { css: string; scripts: { form: string; purchase: string; card: string } };

let assets: BuyerAssets | undefined;

/** Reads them once, at the first page. */
function buyerAssets(): BuyerAssets {
  assets ??= JSON.parse(readFileSync("build/buyer.json", "utf8")) as BuyerAssets;
  return assets;
}

/** Renders buyer pages. Passed in by the routes, since ui and server do not import each other. */
export type PageShell<Parts extends object> = {
  Document: ComponentType<Parts & { styles: string[] } & Pick<BuyerAssets, "scripts">>;
  /** The parts of an error document. */
  failure: (failure: Failure) => Parts;
};

/**
 * Additional styles, sources of frames, whether browsers report what the policy blocks, and the sources of a provider's fields for
 * a card or of the challenge of its bank.
 */
type Extras = {
  css?: string[];
  frames?: string[];
  embeddable?: boolean;
  isReported?: boolean;
  fields?: Partial<FieldSources>;
};

type FieldSources = { script: string[]; connect: string[]; frame: string[]; image: string[] };

type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;
type PageHandler = (args: RouteArgs) => Promise<Response>;

/** The methods of most buyer pages. */
const PAGE_METHODS = ["GET", "POST"];

/**
 * The loader and action of a buyer page, which answer with a whole document without hydration. `answer` gets a request
 * with a buffered body. Errors become a designed page with the right status; a method not in `methods` is a 405.
 */
export function buyerPage<Parts extends object>(
  shell: PageShell<Parts>,
  args: RouteArgs,
  answer: PageHandler,
  methods = PAGE_METHODS,
): Promise<Response> {
  return trackWork(
    handlePage(shell, args, answer, methods).then((response) => redirectForScript(response, args.request)),
  );
}

/** A page's script sends forms itself: it gets the next address and navigates there. */
function redirectForScript(answer: Response, request: Request): Response {
  const isRedirect = answer.status === 302 || answer.status === 303;
  if (!isRedirect || request.headers.get("x-requested-with") !== "fetch") return answer;
  return new Response(null, { status: 204, headers: answer.headers });
}

async function handlePage<Parts extends object>(
  shell: PageShell<Parts>,
  args: RouteArgs,
  answer: PageHandler,
  methods: string[],
): Promise<Response> {
  const { request } = args;
  if (!methods.includes(request.method === "HEAD" ? "GET" : request.method))
    return new Response(null, { status: 405, headers: { Allow: methods.join(", ") } });
  try {
    if (request.method !== "POST") return await answer(args);
    return await answer({ ...args, request: await bufferRequest(request, MAX_PUBLIC_BODY) });
  } catch (error) {
    return error instanceof Response ? error : failurePage(shell, request, toFailure(error, request));
  }
}

async function failurePage<Parts extends object>(
  shell: PageShell<Parts>,
  request: Request,
  failure: Failure,
): Promise<Response> {
  // Refusals and unreachable files have their own message; only an unavailable database gets the page without dependencies.
  if (failure.status === 503 && failure.requestId && !failure.code) return unavailablePage(request);
  const page = await renderPage(shell, shell.failure(failure));
  return pageResponse(page, { status: failure.status, headers: retryHeaders(failure) });
}

/**
 * The answer of a dashboard address without a screen: a file, a preview, a redirect. Errors become a designed page if a
 * browser shows the answer; the dashboard's script shows them on the current screen.
 */
export async function sellerResource<Parts extends object>(
  shell: PageShell<Parts>,
  args: RouteArgs,
  answer: PageHandler,
): Promise<Response> {
  const { request } = args;
  try {
    return await answer(args);
  } catch (error) {
    const wantsHtml = request.headers.get("accept")?.includes("text/html");
    if (!(error instanceof Response)) {
      const failure = toFailure(error, request);
      if (wantsHtml) return failurePage(shell, request, failure);
      throw failureResponse(failure);
    }
    if (!wantsHtml) throw error;
    if (error.status < 400) throw error;
    const retryAfter = Number(error.headers.get("retry-after"));
    return failurePage(shell, request, { status: error.status, message: await error.text(), retryAfter });
  }
}

/** A rendered document and the policy that allows exactly its styles and script. */
export type RenderedPage = { html: string; policy: string };

/** Renders a document when it is its turn (`takeTurn`). Inlined styles are allowed by their hashes. */
export async function renderPage<Parts extends object>(
  { Document }: Pick<PageShell<Parts>, "Document">,
  parts: Parts,
  extras: Extras = {},
): Promise<RenderedPage> {
  await takeTurn();
  const { css, scripts } = buyerAssets();
  const styles = [css, ...(extras.css ?? [])].filter((text) => text !== "");
  const html = `<!doctype html>${renderToStaticMarkup(<Document {...parts} styles={styles} scripts={scripts} />)}`;
  return { html, policy: policyFor(styles, extras) };
}

/** Answers with a document that is not cached. */
export function pageResponse(
  page: RenderedPage,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return bufferedResponse(page.html, {
    status: init.status ?? 200,
    headers: { ...pageHeaders(page.policy), "Cache-Control": "private, no-store", ...init.headers },
  });
}

/** The headers of every buyer document. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    "X-Frame-Options": policy.includes("frame-ancestors 'self'") ? "SAMEORIGIN" : "DENY",
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    ...(policy.includes(`report-to ${REPORT_GROUP}`)
      ? { "Reporting-Endpoints": `${REPORT_GROUP}="${POLICY_REPORTS_PATH}"` }
      : {}),
  };
}

/** The name that a policy gives to where it is reported to. */
const REPORT_GROUP = "csp";

const NO_FIELDS: FieldSources = { script: [], connect: [], frame: [], image: [] };

function policyFor(
  styles: string[],
  { frames = [], embeddable = false, isReported = false, ...extras }: Extras,
): string {
  const fields = { ...NO_FIELDS, ...extras.fields };
  const frameSources = [...frames, ...fields.frame];
  const hashes = styles.map((css) => `'sha256-${createHash("sha256").update(css).digest("base64")}'`);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...fields.script].join(" "),
    `style-src ${hashes.join(" ")}`,
    "img-src 'self' https: http: data:",
    ["connect-src 'self'", ...fields.connect].join(" "),
    `form-action 'self'${env.sandboxUrl ? ` ${env.sandboxUrl}` : ""}`,
    ...(frames.length > 0 ? ["media-src https:"] : []),
    `frame-src ${frameSources.length > 0 ? frameSources.join(" ") : "'none'"}`,
    `frame-ancestors '${embeddable ? "self" : "none"}'`,
    "base-uri 'none'",
    "object-src 'none'",
    ...(isReported ? [`report-uri ${POLICY_REPORTS_PATH}`] : []),
    // Where it is named, Chromium leaves the other one aside, and without TLS it sends nothing.
    ...(isReported && env.APP_URL.startsWith("https:") ? [`report-to ${REPORT_GROUP}`] : []),
  ].join("; ");
}
