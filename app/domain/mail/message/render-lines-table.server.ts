import { escapeHtml } from "#app/kit/html.ts";

const CELL_STYLE = "padding:8px 0;border-bottom:1px solid #e3e6ec;";

/** `amount` is text as people read it. `files` are the names of a line's files. */
type Row = { name: string; amount: string; files?: string[] };

/** A table of names and amounts with their total. */
export function renderLinesTable(rows: Row[], total: string): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;">
${rows.map((row) => renderRow(row, "")).join("\n")}
${renderRow({ name: "Total", amount: total }, "font-weight:bold;")}
</table>`;
}

function renderRow({ name, amount, files = [] }: Row, style: string): string {
  return `<tr><td style="${CELL_STYLE}${style}">${escapeHtml(name)}${files.map(renderFileName).join("")}</td>
<td align="right" style="${CELL_STYLE}white-space:nowrap;${style}">${amount}</td></tr>`;
}

function renderFileName(file: string): string {
  return `<br><span style="color:#5b6474;font-size:13px;">${escapeHtml(file)}</span>`;
}
