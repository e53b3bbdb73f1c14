/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: unknown): string {
  return String(text ?? "").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole page in Portuguese; `body` must already be HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff }
/* On a phone a wide table scrolls by itself, not the page. */
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
form { display: inline }
button { font: inherit; padding: .35rem .8rem; margin: .1rem; cursor: pointer }
code, pre { font-size: .85rem; overflow-wrap: anywhere }
pre { white-space: pre-wrap }
td code { display: inline-block; min-width: 14rem }
.personas form { display: block } .personas button { display: block; width: 100%; text-align: left; padding: .7rem 1rem }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Milliseconds since 1970 as a date and a time of day in Brazil. */
export const moment = (at: number) =>
  new Date(at).toLocaleString("pt-BR", {
    timeZone: "America/Sao_Paulo",
    dateStyle: "short",
    timeStyle: "medium",
  });
