import { escapeHtml } from "#app/kit/html.ts";
import { formatMoney } from "#app/kit/money.ts";

const CELL_STYLE = "padding:8px 0;border-bottom:1px solid #e3e6ec;";

type Line = { name: string; priceCents: number; discountCents?: number; files?: string[] };

/**
 * The lines of a purchase at their list prices, the coupon's discount, and the total; cents. `files` are the names of a
 * line's files.
 */
export function renderLinesTable(
  lines: Line[],
  totalCents: number,
  couponCode: string | null = null,
): string {
  const discountCents = lines.reduce((sum, line) => sum + (line.discountCents ?? 0), 0);
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;font-family:Arial,Helvetica,sans-serif;font-size:15px;">
${lines.map((line) => renderRow(line.name, formatMoney(line.priceCents + (line.discountCents ?? 0)), "", line.files)).join("\n")}
${discountCents > 0 ? renderRow(`Cupom ${couponCode ?? ""}`, `− ${formatMoney(discountCents)}`, "") : ""}
${renderRow("Total", formatMoney(totalCents), "font-weight:bold;")}
</table>`;
}

function renderRow(name: string, amount: string, style: string, files: string[] = []): string {
  return `<tr><td style="${CELL_STYLE}${style}">${escapeHtml(name)}${files.map(renderFileName).join("")}</td>
<td align="right" style="${CELL_STYLE}white-space:nowrap;${style}">${amount}</td></tr>`;
}

function renderFileName(file: string): string {
  return `<br><span style="color:#5b6474;font-size:13px;">${escapeHtml(file)}</span>`;
}
