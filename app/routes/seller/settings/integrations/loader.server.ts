import { deliveryText, EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { isLastSent } from "#app/domain/delivery/list-destinations.server.ts";
import { CARDS_WITHOUT_PIX } from "#app/domain/gateway/providers/account-form.ts";
import {
  type Integrations,
  type ListedDestination,
  listIntegrations,
  MAX_COUNTED,
} from "#app/domain/reports/list-integrations.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { ACCOUNT_BADGES } from "#app/routes/seller/settings/account-badges.ts";
import type { BadgeTone } from "#app/ui/seller/badge.tsx";
import { FAMILIES, FAMILY_IDS } from "#app/ui/seller/destination/families.tsx";
import { describeConnection, SAVED } from "#app/ui/seller/destination/state-badge.tsx";
import { describeTracking } from "#app/ui/seller/destination/tracking-badge.tsx";

/** One connection in the list: its name, its state, and its last event. */
export type ConnectionView = {
  id: string;
  to: string;
  name: string;
  badge: { tone: BadgeTone; label: string };
  /** Short sentences about it. */
  notes: string[];
};

/** A kind of connection with its connections. */
export type ConnectionFamilyView = {
  id: string;
  title: string;
  text: string;
  /** Where it is set up, and that link's label. */
  to: string;
  act: string;
  connections: ConnectionView[];
};

/** Data of the integrations screen: a family each for payments, notifications and mail. */
export async function loadIntegrations(sellerId: string): Promise<ConnectionFamilyView[]> {
  const all = await listIntegrations(sellerId);
  return [
    {
      ...{ id: "pagamentos", title: "Pagamentos", text: "Quem recebe o dinheiro das suas vendas." },
      ...{ to: paths.settings("gateways"), act: "Configurar" },
      connections: all.accounts
        // Without payments there is nothing to connect: only stored keys are listed.
        .filter(({ acceptsPayments, state }) => acceptsPayments || state !== "missing")
        .map(({ name, title, acceptsPayments, state }) => ({
          ...{ id: name, name: title, to: paths.settings("gateways") },
          badge: acceptsPayments ? ACCOUNT_BADGES[state] : STORED_KEYS,
          notes: [
            ...(acceptsPayments ? [] : ["O checkout não recebe por aqui"]),
            ...(state === "cards-without-pix" ? [CARDS_WITHOUT_PIX] : []),
          ],
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
          notes: all.tracking.destination ? notesOf(all.tracking.destination) : [],
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
    ...FAMILY_IDS.map((family) => {
      const { title, integration } = FAMILIES[family];
      const connected = all[LISTS[family]];
      return {
        ...{ id: integration.id, title, text: integration.text },
        ...{ to: paths.destinations(family), act: connected.length > 0 ? integration.all : "Configurar" },
        connections: connected.map((one) => toConnection(one, paths.destination(family, one.id))),
      };
    }),
  ];
}

const LISTS = { webhook: "webhooks", pixel: "pixels", members: "memberAreas" } as const;

type ConnectionBadge = ConnectionView["badge"];

const STORED_KEYS: ConnectionBadge = { tone: "neutral", label: "Chaves guardadas" };

function toConnection(one: ListedDestination, to: string): ConnectionView {
  return {
    id: one.id,
    to,
    name: one.name,
    badge: describeConnection({ ...one, hasSent: isLastSent(one.last) }),
    notes: notesOf(one),
  };
}

function notesOf({ last, waiting }: ListedDestination): string[] {
  const eventLabel = last && pick(EVENT_TEXTS, last.event)?.label;
  return [
    last
      ? `Último envio: ${eventLabel ? `${eventLabel}, ` : ""}${formatDateTime(new Date(last.at))} · ${deliveryText(last).label}`
      : "Nenhum envio recente",
    ...waitingNote(waiting),
  ];
}

function waitingNote(waiting: number): string[] {
  if (waiting === 0) return [];
  if (waiting >= MAX_COUNTED) return [`${MAX_COUNTED} ou mais na fila`];
  return [`${waiting} na fila`];
}

function trackingBadge({ state, destination }: Integrations["tracking"]): ConnectionBadge {
  return describeTracking({
    ...{ enabled: state !== "paused", hasToken: state !== "missing" },
    ...{ isFailing: destination?.failing ?? false, hasSent: isLastSent(destination?.last ?? null) },
  });
}

function mailBadge({ state, last }: Integrations["mail"]): ConnectionBadge {
  if (last?.status === "failed") return { tone: "warning", label: "Com falhas" };
  if (state === "connected") return last?.via === "seller" ? { tone: "success", label: "Conectado" } : SAVED;
  return { tone: "neutral", label: "Pelo remetente da plataforma" };
}

function mailNotes({ state, domain, last, waiting }: Integrations["mail"]): string[] {
  return [
    ...(state === "unused" && !domain ? ["Chave do Resend salva, sem domínio"] : []),
    ...(domain ? [`Domínio ${domain.name}: ${domain.verified ? "verificado" : "não verificado"}`] : []),
    last
      ? `Último e-mail: ${formatDateTime(new Date(last.at))} · ${last.status === "sent" ? "Enviado" : "Não enviado"}`
      : "Nada enviado ainda",
    ...waitingNote(waiting),
  ];
}
