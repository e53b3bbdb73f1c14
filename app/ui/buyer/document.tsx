import type { ReactNode } from "react";

/** The addresses of the buyer pages' scripts. */
type BuyerScripts = { form: string; purchase: string; card: string };

/** What a page passes to its document. */
export type DocumentParts = {
  title: string;
  description?: string | null;
  canonical?: string;
  imageUrl?: string | null;
  /** Pages that belong to one buyer are noindex. */
  indexed?: boolean;
  scheme?: "claro" | "escuro" | null;
  /** Without JavaScript the page reloads after this many seconds. */
  refreshAfter?: number;
  /** Without JavaScript the page redirects after this many seconds; with it `redirect-countdown` does. */
  timedRedirect?: { to: string; after: number };
  /** Its script: `form` for a form that the buyer fills in, `card` for a card's fields; by default `purchase`. */
  script?: keyof BuyerScripts;
  children: ReactNode;
};

const SCHEMES = { claro: "light", escuro: "dark" };

/** The document of every buyer's page: no hydration, one inlined stylesheet, one module script. */
export function BuyerDocument({
  styles,
  scripts,
  ...parts
}: DocumentParts & { styles: string[]; scripts: BuyerScripts }) {
  return (
    <html lang="pt-BR" data-theme={parts.scheme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{parts.title}</title>
        {parts.description && <meta name="description" content={parts.description} />}
        {parts.canonical && <link rel="canonical" href={parts.canonical} />}
        {parts.canonical && <meta property="og:title" content={parts.title} />}
        {parts.imageUrl && <meta property="og:image" content={parts.imageUrl} />}
        {!parts.indexed && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content={parts.scheme ? SCHEMES[parts.scheme] : "light dark"} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {styles.map((css) => (
          <style key={css} dangerouslySetInnerHTML={{ __html: css }} />
        ))}
        {parts.timedRedirect && (
          <noscript>
            <meta
              httpEquiv="refresh"
              content={`${parts.timedRedirect.after};url=${parts.timedRedirect.to}`}
            />
          </noscript>
        )}
        {parts.refreshAfter && (
          <noscript>
            <meta httpEquiv="refresh" content={String(parts.refreshAfter)} />
          </noscript>
        )}
        <script type="module" src={scripts[parts.script ?? "purchase"]} />
      </head>
      <body>{parts.children}</body>
    </html>
  );
}
