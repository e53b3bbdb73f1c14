import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";

const CELL = "padding:8px 0;border-bottom:1px solid #e3e6ec;";

type Line = { name: string; priceCents: number; files?: string[] };

/** What was bought, line by line, with the total; cents. `files` names what is in a line. */
export function linesTable(lines: Line[], totalCents: number): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;">
${lines.map((line) => row(line.name, line.priceCents, "", line.files)).join("\n")}
${row("Total", totalCents, "font-weight:bold;")}
</table>`;
}

function row(name: string, cents: number, style: string, files: string[] = []): string {
  return `<tr><td style="${CELL}${style}">${escapeHtml(name)}${files.map(inside).join("")}</td>
<td align="right" style="${CELL}white-space:nowrap;${style}">${formatMoney(cents)}</td></tr>`;
}

function inside(file: string): string {
  return `<br><span style="color:#5b6474;font-size:13px;">${escapeHtml(file)}</span>`;
}
