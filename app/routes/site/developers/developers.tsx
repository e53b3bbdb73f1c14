import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { isUnavailable } from "#app/db/errors.server.ts";
import { yearOf } from "#app/kit/dates.ts";
import { env } from "#app/platform/env.server.ts";
import { type Guide, GuidePage } from "#app/routes/site/developers/guide-page.tsx";
import { PAGE_SIZE } from "#app/server/api/paging.server.ts";
import { buildGuide } from "#app/server/openapi/build-guide.server.ts";
import { SAMPLE_IDEMPOTENCY_KEY } from "#app/server/openapi/example.server.ts";
import { webhooksView } from "#app/server/openapi/webhooks-view.server.ts";
import { type CachedPage, cachePage, sendCachedPage } from "#app/server/pages/cached-page.server.ts";
import { currentSeller } from "#app/server/session/guards.server.ts";
import { readTheme, type Theme } from "#app/server/session/theme.server.ts";
import styles from "#app/ui/seller/seller.css";

/** Each rendered once: signed in or not, with each theme. Routes do not change while the process runs. */
const cachedPages = new Map<string, CachedPage>();
let made: Guide | undefined;

/** The API documentation. Hundreds of kilobytes that are the same for everybody, so it is rendered only once. */
export async function loader({ request }: LoaderFunctionArgs) {
  // Public, so also served while the database is down.
  const seller = await currentSeller(request).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return null;
  });
  const signedIn = seller !== null;
  const theme = await readTheme(request);
  const key = `${signedIn}/${theme}/${yearOf(new Date())}`;
  const page =
    cachedPages.get(key) ?? cachePage({ html: render(signedIn, theme), policy: POLICY }, "private");
  cachedPages.set(key, page);
  return sendCachedPage(page, request);
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  // The theme uses a data: image as texture.
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
    orderName: SAMPLE_IDEMPOTENCY_KEY,
    groups: buildGuide(),
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
