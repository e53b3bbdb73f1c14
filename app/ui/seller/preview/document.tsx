import type { ReactNode } from "react";

export type PreviewParts = { title: string; scheme: "claro" | "escuro" | null; children: ReactNode };

/** What buyers see with a script, in a document that runs none. In the first layer, where `!important` is strongest. */
const AS_WITH_SCRIPT = `@layer theme{${[
  "urgency-countdown{display:block!important}",
  "redirect-countdown[hidden]{display:flex!important}",
  ".scripted:not([hidden]){display:revert!important}",
  "noscript{display:none!important}",
].join("")}}`;

/** A buyer's page as its seller previews it: the same components and styles, no script, and links that do nothing. */
export function PreviewDocument({ title, scheme, styles, children }: PreviewParts & { styles: string[] }) {
  return (
    <html lang="pt-BR" data-theme={scheme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {/* The frame may open no window, so links to new windows do nothing. */}
        <base target="_blank" />
        {[...styles, AS_WITH_SCRIPT].map((css) => (
          <style key={css} dangerouslySetInnerHTML={{ __html: css }} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}
