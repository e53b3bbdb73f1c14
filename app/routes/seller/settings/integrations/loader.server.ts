import { EVENT_WORDS, wordsOf } from "#app/domain/outbox/news-words.server.ts";
import {
  type AccountState,
  type Integrations,
  type ListedDestination,
  listIntegrations,
  MANY,
} from "#app/domain/reports/list-integrations.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";

/** One connection in the list: what it is, how it stands, and what happened last. */
export type ShownConnection = {
  id: string;
  to: string;
  name: string;
  badge: { tone: BadgeTone; label: string };
  /** What there is to say of it, in short sentences. */
  notes: string[];
};

/** A kind of connection with those there are of it. */
export type ShownFamily = {
  id: string;
  title: string;
  text: string;
  /** Where it is set up, and what the way there is called. */
  to: string;
  act: string;
  connections: ShownConnection[];
};

/** What the screen of integrations shows: a family each for what takes payments, tells of sales, or carries mail. */
export async function loadIntegrations(sellerId: string): Promise<ShownFamily[]> {
  const all = await listIntegrations(sellerId);
  return [
    {
      ...{ id: "pagamentos", title: "Pagamentos", text: "Quem recebe o dinheiro das suas vendas." },
      ...{ to: paths.settings("gateways"), act: "Configurar" },
      connections: all.accounts
        // Where nothing is charged there is nothing to connect: only keys that are kept are worth a line.
        .filter(({ takesPayments, state }) => takesPayments || state !== "missing")
        .map(({ name, title, takesPayments, state }) => ({
          ...{ id: name, name: title, to: paths.settings("gateways") },
          badge: takesPayments ? TAKING[state] : KEPT,
          notes: takesPayments ? [] : ["O checkout não recebe por aqui"],
        })),
    },
    {
      ...{ id: "rastreamento", title: "Rastreamento", text: "Que anúncio trouxe cada venda." },
      ...{ to: paths.trackingSettings(), act: "Configurar" },
      connections: [
        {
          ...{
            id: "utmify",
            name: "UTMify",
            to: paths.trackingSettings(),
            badge: trackingBadge(all.tracking),
          },
          notes: all.tracking.told ? notesOf(all.tracking.told) : [],
        },
      ],
    },
    {
      ...{ id: "email", title: "E-mail", text: "O que os seus compradores recebem, e de que endereço." },
      ...{ to: paths.emailSettings(), act: "Configurar" },
      connections: [
        {
          ...{ id: "resend", name: "Resend", to: paths.emailSettings() },
          badge: mailBadge(all.mail),
          notes: mailNotes(all.mail),
        },
      ],
    },
    {
      ...{ id: "webhooks", title: "Webhooks" },
      text: "Avise seu CRM, robô de WhatsApp ou qualquer outro sistema a cada venda.",
      ...{ to: paths.webhooks(), act: all.webhooks.length > 0 ? "Ver todos" : "Configurar" },
      connections: all.webhooks.map((one) => told(one, paths.webhook(one.id))),
    },
    {
      ...{ id: "pixels", title: "Pixels e conversões" },
      text: "Informe às plataformas de anúncio o que cada anúncio vendeu: Meta, Google Analytics, TikTok e Kwai.",
      ...{ to: paths.pixels(), act: all.pixels.length > 0 ? "Ver todos" : "Configurar" },
      connections: all.pixels.map((one) => told(one, paths.pixel(one.id))),
    },
    {
      ...{ id: "areas", title: "Áreas de membros" },
      text: "Libere o acesso na Cademí ou na MemberKit assim que a venda é paga.",
      ...{
        to: paths.memberAreas(),
        act: all.memberAreas.length > 0 ? "Ver todas" : "Configurar",
      },
      connections: all.memberAreas.map((one) => told(one, paths.memberArea(one.id))),
    },
  ];
}

type Standing = ShownConnection["badge"];

const NOT_CONNECTED: Standing = { tone: "neutral", label: "Não conectado" };
const TAKING: Record<AccountState, Standing> = {
  connected: { tone: "success", label: "Recebendo pagamentos" },
  paused: { tone: "warning", label: "Pausado" },
  missing: NOT_CONNECTED,
  refused: { tone: "error", label: "API Key recusada" },
};
const KEPT: Standing = { tone: "neutral", label: "Chaves guardadas" };

const STOPPED: Record<string, Standing> = {
  seller: { tone: "neutral", label: "Pausado" },
  failing: { tone: "error", label: "Pausado por falhas" },
  token: { tone: "error", label: "Pausado: token recusado" },
  gone: { tone: "error", label: "Encerrado pelo endereço" },
};

function standingOf({ stopped, failing }: Pick<ListedDestination, "stopped" | "failing">): Standing {
  if (stopped) return pick(STOPPED, stopped) ?? STOPPED.seller!;
  return failing ? { tone: "warning", label: "Com falhas" } : { tone: "success", label: "Conectado" };
}

function told(one: ListedDestination, to: string): ShownConnection {
  return { id: one.id, to, name: one.name, badge: standingOf(one), notes: notesOf(one) };
}

function notesOf({ last, waiting }: ListedDestination): string[] {
  const said = last && pick(EVENT_WORDS, last.event)?.label;
  return [
    last
      ? `Último envio: ${said ? `${said}, ` : ""}${formatDateTime(new Date(last.at))} · ${wordsOf(last).label}`
      : "Nada enviado ainda",
    ...waitingNote(waiting),
  ];
}

function waitingNote(waiting: number): string[] {
  if (waiting === 0) return [];
  if (waiting >= MANY) return [`${MANY} ou mais na fila`];
  return [`${waiting} na fila`];
}

function trackingBadge({ state, told }: Integrations["tracking"]): Standing {
  if (state === "missing") return { ...NOT_CONNECTED, label: "Sem token da API" };
  if (state === "paused") return STOPPED.seller!;
  return told ? standingOf(told) : standingOf({ stopped: null, failing: false });
}

function mailBadge({ state, last }: Integrations["mail"]): Standing {
  if (last?.status === "failed") return { tone: "warning", label: "Com falhas" };
  return state === "connected"
    ? { tone: "success", label: "Conectado" }
    : { tone: "neutral", label: "Pelo remetente da plataforma" };
}

function mailNotes({ domain, last, waiting }: Integrations["mail"]): string[] {
  return [
    ...(domain ? [`Domínio ${domain.name}: ${domain.verified ? "verificado" : "não verificado"}`] : []),
    last
      ? `Último e-mail: ${formatDateTime(new Date(last.at))} · ${last.status === "sent" ? "Enviado" : "Não enviado"}`
      : "Nada enviado ainda",
    ...waitingNote(waiting),
  ];
}
