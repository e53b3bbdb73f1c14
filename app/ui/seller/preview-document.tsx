import type { ReactNode } from "react";

export type PreviewParts = { title: string; scheme: "claro" | "escuro" | null; children: ReactNode };

/** Shows what a script would start, for a document that runs none. In the first layer, so that it is stronger. */
const SHOWN =
  "@layer theme{urgency-countdown{display:block!important}redirect-countdown[hidden]{display:flex!important}}";

/** A buyer's page as its seller previews it: the same components and styles, no script, and links that lead nowhere. */
export function PreviewDocument({ title, scheme, styles, children }: PreviewParts & { styles: string[] }) {
  return (
    <html lang="pt-BR" data-theme={scheme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {/* The frame may open no window, so what would open one does nothing. */}
        <base target="_blank" />
        {[...styles, SHOWN].map((css) => (
          <style key={css} dangerouslySetInnerHTML={{ __html: css }} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}
