import {
  renderMailButton,
  renderMailLayout,
  renderParagraph,
} from "#app/domain/mail/message/layout.server.ts";
import { renderLinesTable } from "#app/domain/mail/message/render-lines-table.server.ts";
import type { DigestKind, DigestPeriod } from "#app/domain/sale/mails/digest-period.ts";
import type { Digest } from "#app/domain/sale/mails/read-digest.server.ts";
import { formatChange, formatMoney } from "#app/kit/money.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** To the seller: the digest of a week or month. */
export function renderDigestMail(kind: DigestKind, period: DigestPeriod, digest: Digest) {
  const title = kind === "weekly" ? "Sua semana" : "Seu mês";
  const products = digest.others
    ? [...digest.products, { name: "Outros produtos", ...digest.others }]
    : digest.products;
  const sold = digest.count === 1 ? "1 venda" : `${digest.count} vendas`;
  return {
    subject: `${title}: ${sold}, ${formatMoney(digest.cents)}`,
    html: renderMailLayout({
      title: `${title}: ${period.name}`,
      preview: `${sold}, ${formatMoney(digest.cents)}`,
      bodyHtml: [
        renderParagraph(
          `<strong style="font-size:28px;line-height:36px;">${formatMoney(digest.cents)}</strong><br>em ${sold}${describeChange(digest, kind)}.`,
        ),
        products.length > 0
          ? renderLinesTable(
              products.map(({ name, count, cents }) => ({
                name: `${name} (${count})`,
                amount: formatMoney(cents),
              })),
              formatMoney(products.reduce((sum, { cents }) => sum + cents, 0)),
            )
          : renderParagraph("Nenhuma venda neste período. Que tal divulgar o link do seu checkout?"),
        renderMailButton("Ver relatórios", env.APP_URL + paths.reports()),
      ].join("\n"),
      footerHtml: `Você recebe este resumo porque o relatório ${kind === "weekly" ? "semanal" : "mensal"} está ligado em Configurações.`,
    }),
  };
}

function describeChange({ cents, centsBefore }: Digest, kind: DigestKind): string {
  if (centsBefore === 0) return "";
  if (cents === centsBefore)
    return kind === "weekly" ? ", como na semana anterior" : ", como no mês anterior";
  const before = kind === "weekly" ? "da semana anterior" : "do mês anterior";
  return `, ${formatChange(cents, centsBefore)} ${cents > centsBefore ? "acima" : "abaixo"} ${before}`;
}
