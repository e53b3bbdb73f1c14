import { escapeHtml } from "#app/kit/html.ts";

/** The content of the platform's own mails. `bodyHtml` is trusted HTML: escape user input. */
export type MailContent = { title: string; bodyHtml: string; footerHtml?: string; preview?: string };

/** A whole mail: tables and inlined styles for Outlook and Gmail, readable on phones and in dark mode. */
export function renderMailLayout({ title, bodyHtml, footerHtml = "", preview = "" }: MailContent): string {
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>a { color: #2f55d4; }
@media (prefers-color-scheme: dark) {
a { color: #9db4ff; }
.fundo { background-color: #14161c !important; }
.cartao { background-color: #1e2129 !important; }
.cartao, .cartao p, .cartao h1, .cartao td { color: #eef0f4 !important; border-color: #3a3f4b !important; }
.codigo { background-color: #14161c !important; }
.rodape, .rodape p { color: #a9afbd !important; }
}</style>
</head>
<body class="fundo" style="margin:0;padding:0;background-color:#f3f4f7;">
<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(preview)}</div>
<table role="presentation" class="fundo" width="100%" cellpadding="0" cellspacing="0" style="background-color:#f3f4f7;">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" class="cartao" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background-color:#ffffff;border-radius:12px;">
<tr><td style="padding:32px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:24px;color:#1d2330;word-break:break-word;">
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;">${preventAmountBreaks(escapeHtml(title))}</h1>
${preventAmountBreaks(bodyHtml)}
</td></tr></table>
<table role="presentation" class="rodape" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;">
<tr><td class="rodape" style="padding:16px 32px;font-family:Arial,Helvetica,sans-serif;font-size:12px;line-height:18px;color:#5d6575;word-break:break-word;">
${footerHtml}
</td></tr></table>
</td></tr></table>
</body>
</html>`;
}

/** Prevents line breaks between "R$" and its number, a template's too, in text only: attributes stay as they are. */
function preventAmountBreaks(html: string): string {
  const pieces = html.split(">").map((piece) => {
    const [text, ...tag] = piece.split("<");
    const unbroken = text!.replace(
      /R\$ [\d.]+,\d\d|\{\{\s*amount_formatted\s*\}\}|\{amount_formatted\}/g,
      '<span style="white-space:nowrap">$&</span>',
    );
    return [unbroken, ...tag].join("<");
  });
  return pieces.join(">");
}

/** A paragraph of trusted HTML. */
export function renderParagraph(html: string): string {
  return `<p style="margin:0 0 16px;">${html}</p>`;
}

/** The colours of the platform's own mails. */
const PLATFORM_COLORS = { button_color: "#2f55d4", button_text_color: "#ffffff" };

/** A button that is a link; Outlook renders it from the table cell. */
export function renderMailButton(label: string, href: string, colors = PLATFORM_COLORS): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;"><tr>
<td bgcolor="${colors.button_color}" style="border-radius:8px;"><a href="${escapeHtml(href)}" style="display:inline-block;padding:14px 24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;font-weight:bold;color:${colors.button_text_color};text-decoration:none;">${escapeHtml(label)}</a></td>
</tr></table>`;
}
