import { createHash } from "node:crypto";

/**
 * The page while Postgres is unavailable: no query, no stylesheet. It reloads by itself, but not in place of a form, whose
 * fields would be lost: the browser sends those again where the page is reloaded by hand.
 */
export function unavailablePage({ method, headers }: Pick<Request, "method" | "headers">): Response {
  const unsent = headers.get("x-requested-with") === "fetch" ? UNSENT_BY_SCRIPT : pageOf("", UNSENT);
  return new Response(method === "POST" ? unsent : pageOf(RELOAD, RETRIED), {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "Cache-Control": "no-store",
      "Retry-After": "5",
    },
  });
}

/** The page contains its styles, which are constant and include nothing of a request. */
const RELOAD_SCRIPT = "setTimeout(() => location.replace(location.href), 5000)";
const POLICY = `default-src 'none'; script-src 'sha256-${createHash("sha256").update(RELOAD_SCRIPT).digest("base64")}'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const RELOAD = `<noscript><meta http-equiv="refresh" content="5"></noscript>`;
const RETRIED = `<p>Estamos fora do ar por um instante. Esta página tenta de novo sozinha em alguns segundos.</p>
<p>Se você acabou de pagar, fique tranquilo: nenhum pagamento se perde.</p><p><a href="">Tentar agora</a></p></main><script>${RELOAD_SCRIPT}</script>`;
const UNSENT = `<p>Estamos fora do ar por um instante. Em alguns segundos, recarregue esta página e confirme o envio: o que você preencheu vai de novo.</p>
<p>Se você acabou de pagar, fique tranquilo: nenhum pagamento se perde.</p></main>`;
/** A page's script shows the paragraph above the button that was pressed, and the form stays. */
const UNSENT_BY_SCRIPT = `<main class="page"><p>Estamos fora do ar por um instante. Espere alguns segundos e tente de novo: o que você preencheu continua aqui. Se você acabou de pagar, nenhum pagamento se perde.</p></main>`;

const pageOf = (head: string, text: string) => `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>Voltamos já</title><style>:root{color-scheme:light dark}body{font-family:system-ui,sans-serif;max-width:28rem;margin:20vh auto;padding:0 1.5rem;line-height:1.5}a{color:inherit}</style>
</head><body><main><h1>Voltamos já</h1>${text}</body></html>`;
