import type { MemberKind } from "#app/db/schema/lists.ts";
import {
  type MemberAreaView,
  showMemberArea,
} from "#app/domain/delivery/member-area/list-member-areas.server.ts";
import { MEMBER_NAMES } from "#app/domain/delivery/member-area/settings.ts";
import { type ItemCodes, listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { dayOf } from "#app/kit/dates.ts";
import type { ItemChoice, MemberFormFields } from "#app/routes/seller/settings/members/fields.ts";
import { type LogPage, loadLog } from "#app/routes/seller/settings/webhooks/load-log.server.ts";
import type { ProductChoice } from "#app/ui/seller/product/products-card.tsx";

/** Options of a member area's form. */
export async function loadMemberChoices(sellerId: string) {
  const codes = await listCodes(sellerId);
  const products: ProductChoice[] = codes
    .filter(({ kind }) => kind === "product")
    .map(({ id, name }) => ({ id: String(id), name }));
  const items: ItemChoice[] = codes.map(({ standard, name, kind }) => ({ item: standard, name, kind }));
  return { codes, products, items };
}

/** An empty form for connecting a service. */
export function newMemberArea(kind: MemberKind, items: ItemChoice[]): MemberFormFields {
  return {
    ...{ kind, name: MEMBER_NAMES[kind], area: "", token: "", with_document: false, revokes: true },
    ...{ scope: "all", products: [], classes: items.map(({ item }) => ({ item, ids: "" })) },
  };
}

const TABS = ["envios", "configuracao", "produtos"];

/** Data of a member area's page. */
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

/** MemberKit's test grants no access. */
function namedTest(delivery: LogPage["items"][number]) {
  return delivery.isTest ? { ...delivery, label: "Consulta das turmas" } : delivery;
}

/** The service, and the area's own address if it has one. */
export function whereOf({ kind, area }: Pick<MemberAreaView, "kind" | "area">): string {
  return kind === "cademi" ? `${MEMBER_NAMES[kind]} · ${area}.cademi.com.br` : MEMBER_NAMES[kind];
}

/** A member area's values for its form. */
export function memberDefaults(area: MemberAreaView, codes: ItemCodes[]): MemberFormFields {
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
