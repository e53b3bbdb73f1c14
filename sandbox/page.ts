import type { Conversion } from "./conversions.ts";
import { escapeHtml, htmlPage, moment } from "./html.ts";
import type { Membership } from "./memberships.ts";
import type { Arrival } from "./receiver.ts";
import type { Mail } from "./resend-accounts.ts";
import { asList } from "./resend-email-rules.ts";
import { transactionRow } from "./transaction-row.ts";
import type { ReceivedOrder } from "./utmify-orders.ts";
import type { World } from "./world.ts";

/** The sandbox's own page, for a person trying the demo; newest first. */
export function sandboxPage(world: World): string {
  const { transactions, resend, orders, arrivals, conversions, memberships, calls } = world;
  return htmlPage(
    "Sandbox do Checkintelli",
    `<h1>Sandbox do Checkintelli</h1>
<p>Aqui o mundo de fora é de mentira: nenhum pagamento, e-mail ou pedido sai desta máquina.</p>
<h2>Transações</h2>
${table(["Criada", "Provedor", "Valor", "Situação", "Código ou cartão", "Ações"], transactions.list().map(transactionRow))}
<h2>E-mails</h2>
${table(["Enviado", "Para", "Assunto", "Situação"], resend.mails.map(mailRow))}
<h2>Pedidos na UTMify</h2>
${table(["Recebido", "Pedido", "Situação", "Envios", "Infrações"], orders.received().map(orderRow))}
<h2>Webhooks recebidos</h2>
<p>Qualquer endereço abaixo de <code>/receiver/</code> recebe avisos.</p>
${table(["Recebido", "Endereço", "Corpo"], arrivals.list().map(arrivalRow))}
<h2>Conversões recebidas</h2>
${table(["Recebido", "Serviço", "Evento", "Id", "Contou", "Corpo"], conversions.list().map(conversionRow))}
<h2>Áreas de membros</h2>
<p>Na MemberKit existem as turmas 101, 102 e 103.</p>
${table(["Recebido", "Área", "Aluno", "Produto ou turma", "Acesso", "Avisos", "Corpo"], memberships.list().map(membershipRow))}
<h2>Chamadas recebidas</h2>
<pre>${escapeHtml(JSON.stringify(calls.report(), null, 2))}</pre>
<form method="post" action="/control/reset"><button type="submit">Esquecer tudo</button></form>`,
  );
}

function mailRow({ id, at, body, lastEvent }: Mail) {
  const subject = `<a href="/control/emails/${id}/html">${escapeHtml(body.subject)}</a>`;
  return [moment(Date.parse(at)), escapeHtml(asList(body.to).join(", ")), subject, escapeHtml(lastEvent)];
}

function orderRow({ orderId, at, status, history, violations }: ReceivedOrder) {
  return [
    moment(Date.parse(at)),
    `<code>${escapeHtml(orderId)}</code>`,
    escapeHtml(status),
    String(history.length),
    escapeHtml(violations.join("; ") || "nenhuma"),
  ];
}

function arrivalRow({ at, url, body }: Arrival) {
  return [moment(Date.parse(at)), `<code>${escapeHtml(url)}</code>`, `<code>${escapeHtml(body)}</code>`];
}

const ADVERTISERS = { meta: "Meta", ga4: "GA4", tiktok: "TikTok", kwai: "Kwai" };

function conversionRow({ at, service, pixel, event, id, counted, isTest, body }: Conversion) {
  return [
    moment(Date.parse(at)),
    `${ADVERTISERS[service]}<br><code>${escapeHtml(pixel)}</code>`,
    escapeHtml(event),
    `<code>${escapeHtml(id)}</code>`,
    (counted ? "sim" : "não") + (isTest ? " (teste)" : ""),
    `<code>${escapeHtml(JSON.stringify(body))}</code>`,
  ];
}

const AREAS = { cademi: "Cademí", memberkit: "MemberKit" };

function membershipRow({ at, service, area, email, name, item, isOpen, told, body }: Membership) {
  return [
    moment(Date.parse(at)),
    area ? `${AREAS[service]}<br><code>${escapeHtml(area)}</code>` : AREAS[service],
    `${escapeHtml(name)}<br>${escapeHtml(email)}`,
    `<code>${escapeHtml(item)}</code>`,
    isOpen ? "aberto" : "encerrado",
    String(told),
    `<code>${escapeHtml(JSON.stringify(body))}</code>`,
  ];
}

/** `rows` must already be HTML. */
function table(headings: string[], rows: string[][]) {
  if (rows.length === 0) return "<p>Nada ainda.</p>";
  const body = rows
    .toReversed()
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<div class="table" tabindex="0"><table><thead><tr>${headings.map((heading) => `<th scope="col">${heading}</th>`).join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>`;
}
