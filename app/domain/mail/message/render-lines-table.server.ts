import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";

const CELL_STYLE = "padding:8px 0;border-bottom:1px solid #e3e6ec;";

type Line = { name: string; priceCents: number; files?: string[] };

/** The lines of a purchase with their total; cents. `files` are the names of a line's files. */
export function renderLinesTable(lines: Line[], totalCents: number): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;">
${lines.map((line) => renderRow(line.name, line.priceCents, "", line.files)).join("\n")}
${renderRow("Total", totalCents, "font-weight:bold;")}
</table>`;
}

function renderRow(name: string, cents: number, style: string, files: string[] = []): string {
  return `<tr><td style="${CELL_STYLE}${style}">${escapeHtml(name)}${files.map(renderFileName).join("")}</td>
<td align="right" style="${CELL_STYLE}white-space:nowrap;${style}">${formatMoney(cents)}</td></tr>`;
}

function renderFileName(file: string): string {
  return `<br><span style="color:#5b6474;font-size:13px;">${escapeHtml(file)}</span>`;
}
