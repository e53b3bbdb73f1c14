import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { isUnavailable } from "#app/db/errors.server.ts";
import { yearOf } from "#app/kit/dates.ts";
import { env } from "#app/platform/env.server.ts";
import { type Guide, GuidePage } from "#app/routes/site/developers/guide-page.tsx";
import styles from "#app/ui/seller/seller.css";
import { type KeptPage, keepPage, sendKept } from "#app/web/buyer/kept-page.server.ts";
import { SAMPLE_NAME } from "#app/web/openapi/example.server.ts";
import { guide } from "#app/web/openapi/guide.server.ts";
import { webhooksView } from "#app/web/openapi/webhooks-view.server.ts";
import { PAGE_SIZE } from "#app/web/paging.server.ts";
import { currentSeller } from "#app/web/session/guards.server.ts";
import { readTheme, type Theme } from "#app/web/session/theme.server.ts";

/** Each rendered once: signed in or not, with each theme. A process's routes stay what they are. */
const kept = new Map<string, KeptPage>();
let made: Guide | undefined;

/** The API for people. Hundreds of kilobytes that are the same for everybody: nobody has them rendered anew. */
export async function loader({ request }: LoaderFunctionArgs) {
  // It is read by anybody, so also while the database is away.
  const seller = await currentSeller(request).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return null;
  });
  const signedIn = seller !== null;
  const theme = await readTheme(request);
  const key = `${signedIn}/${theme}/${yearOf(new Date())}`;
  const page = kept.get(key) ?? keepPage({ html: render(signedIn, theme), policy: POLICY }, "private");
  kept.set(key, page);
  return sendKept(page, request);
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  // The theme draws a texture with one.
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const THEMES = { dark: "escuro", light: "claro" };

function render(signedIn: boolean, theme: Theme): string {
  made ??= {
    base: env.APP_URL,
    pageSize: PAGE_SIZE,
    orderName: SAMPLE_NAME,
    groups: guide(),
    webhooks: webhooksView(),
  };
  return `<!doctype html>${renderToStaticMarkup(
    <html lang="pt-BR" data-theme={theme ? THEMES[theme] : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API para desenvolvedores · Checkintelli</title>
        <meta name="description" content="Chaves, erros, páginas e cada endereço da API da Checkintelli." />
        <link rel="stylesheet" href={styles} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body className="min-h-dvh bg-base-200 text-base-content antialiased">
        <GuidePage signedIn={signedIn} guide={made} />
      </body>
    </html>,
  )}`;
}
