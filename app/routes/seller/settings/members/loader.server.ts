import type { MemberKind } from "#app/db/schema/lists.ts";
import { type ShownMemberArea, showMemberArea } from "#app/domain/outbox/members/list-member-areas.server.ts";
import { MEMBER_NAMES } from "#app/domain/outbox/members/settings.ts";
import { type ItemCodes, listCodes } from "#app/domain/outbox/webhook/list-codes.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import type { ItemChoice, MemberFormFields } from "#app/routes/seller/settings/members/fields.ts";
import type { ProductChoice } from "#app/routes/seller/settings/webhooks/fields.ts";
import { type LogPage, loadLog } from "#app/routes/seller/settings/webhooks/load-log.server.ts";

/** What the form of a member area lets choose from. */
export async function loadMemberChoices(sellerId: string) {
  const codes = await listCodes(sellerId);
  const products: ProductChoice[] = codes
    .filter(({ kind }) => kind === "product")
    .map(({ id, name }) => ({ id: String(id), name }));
  const items: ItemChoice[] = codes.map(({ standard, name, kind }) => ({ item: standard, name, kind }));
  return { codes, products, items };
}

/** A form to connect a service by. */
export function newMemberArea(kind: MemberKind, items: ItemChoice[]): MemberFormFields {
  return {
    ...{ kind, name: MEMBER_NAMES[kind], area: "", token: "", with_document: false, revokes: true },
    ...{ scope: "all", products: [], classes: items.map(({ item }) => ({ item, ids: "" })) },
  };
}

const TABS = ["envios", "configuracao", "produtos"];

/** What a member area's page shows. */
export async function loadMemberArea(sellerId: string, id: string, query: URLSearchParams, email: string) {
  const tab = TABS.find((one) => one === query.get("tab")) ?? "envios";
  const [area, log, choices] = await Promise.all([
    showMemberArea(sellerId, id),
    tab === "envios" ? loadLog(sellerId, id, query) : null,
    loadMemberChoices(sellerId),
  ]);
  const { kind, name, stopped, failing, known, test, version } = area;
  const linked = area.classes.filter(({ item }) => choices.codes.some((one) => one.standard === item)).length;
  return {
    tab,
    area: {
      ...{ id, kind, name, stopped, failing, known },
      where: whereOf(area),
      test: { email: test.email || email, item: test.item },
      linked,
    },
    defaults: memberDefaults(area, choices.codes),
    version,
    log: log && kind === "memberkit" ? { ...log, items: log.items.map(namedTest) } : log,
    choices,
    today: dayOf(new Date()),
  };
}

/** MemberKit's test opens nothing. */
function namedTest(news: LogPage["items"][number]) {
  return news.isTest ? { ...news, label: "Consulta das turmas" } : news;
}

/** The service, and the area's address where it has one of its own. */
export function whereOf({ kind, area }: Pick<ShownMemberArea, "kind" | "area">): string {
  return kind === "cademi" ? `${MEMBER_NAMES[kind]} · ${area}.cademi.com.br` : MEMBER_NAMES[kind];
}

/** A member area as its form shows it. */
export function memberDefaults(area: ShownMemberArea, codes: ItemCodes[]): MemberFormFields {
  const { kind, name, token, withDocument, revokes, productIds } = area;
  const idsOf = (code: string) => area.classes.find(({ item }) => item === code)?.ids.join(", ") ?? "";
  return {
    ...{ kind, name, area: area.area, token, revokes },
    with_document: withDocument,
    scope: productIds === null ? "all" : "some",
    products: (productIds ?? []).map(String),
    classes: codes.map(({ standard }) => ({ item: standard, ids: idsOf(standard) })),
  };
}
