import { EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import type { Family, ListedKind } from "#app/domain/delivery/kind.ts";
import { type DestinationView, showDestination } from "#app/domain/delivery/list-destinations.server.ts";
import { listProductChoices, readProductSearch } from "#app/domain/delivery/list-product-choices.server.ts";
import { loadLog } from "#app/domain/delivery/load-log.server.ts";
import type { ItemClasses, MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import { type ItemCodes, listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { formOf } from "#app/domain/delivery/webhook/settings.ts";
import { dayOf, formatDateTime } from "#app/kit/dates.ts";
import type { ProductSearch } from "#app/ui/seller/destination/product-search.tsx";

/** What a seller sells, as a destination's form offers it: the products that are chosen or found by `?produto=`. */
export async function loadChoices(
  sellerId: string,
  { cards, test }: ListedKind,
  chosenIds: number[],
  query: URLSearchParams,
) {
  const search = readProductSearch(query.get("produto"));
  const [codes, { products, isMore }] = await Promise.all([
    listCodes(sellerId),
    listProductChoices(sellerId, chosenIds, search),
  ]);
  const needsItems = [...cards, ...test.fields].some(({ type }) => type === "classes" || type === "item");
  return {
    ...{ codes, products },
    search: isMore || search !== "" ? { text: search, isMore } : undefined,
    items: needsItems ? codes.map(({ standard, name, kind }) => ({ item: standard, name, kind })) : [],
  };
}

/** The values of a new destination's form. */
export function emptyValues(kind: ListedKind, codes: ItemCodes[]) {
  const { id, emptyValues } = kind;
  return {
    ...{ kind: id, name: "", token: "", scope: "all", products: [], ...emptyValues },
    ...classRows(kind, [], codes),
  };
}

/** Products are searched to be ticked, which shows only while not all are chosen. */
export function withSearch<V extends object>(
  values: V,
  { search }: { search?: ProductSearch | undefined },
): V {
  return search?.text ? { ...values, scope: "some" } : values;
}

/** A destination's values for its form. */
export function formValues(view: DestinationView, codes: ItemCodes[]) {
  const { name, token, productIds } = view;
  const kind = listedKindOf(view.kind);
  const own = kind.valuesOf(view);
  return {
    ...{ kind: kind.id, name, token, scope: productIds === null ? "all" : "some" },
    products: (productIds ?? []).map(String),
    ...own,
    ...classRows(kind, own.classes as ItemClasses[], codes),
  };
}

/** A row for each item on sale, where a kind leads items to classes. */
function classRows({ cards }: ListedKind, classes: ItemClasses[], codes: ItemCodes[]) {
  if (!cards.some(({ type }) => type === "classes")) return {};
  const idsOf = (code: string) => classes.find(({ item }) => item === code)?.ids.join(", ") ?? "";
  return { classes: codes.map(({ standard }) => ({ item: standard, ids: idsOf(standard) })) };
}

/** Data of a destination's page: only what the selected tab needs. @throws Refusal not-found */
export async function loadDestination(
  family: Family,
  seller: { id: string; email: string },
  id: string,
  query: URLSearchParams,
) {
  const view = await showDestination(family, seller.id, id);
  const kind = listedKindOf(view.kind);
  const { codes, ...choices } = await loadChoices(seller.id, kind, view.productIds ?? [], query);
  const { settings, name, stopped } = view;
  const tabs = [...TABS, ...(kind.tabs ?? [])];
  const tab = tabs.find((one) => one.id === query.get("tab"))?.id ?? "envios";
  const { done, ...test } = kind.test;
  const tested = kind.testValues?.(settings) ?? {};
  return {
    ...{ family, tab, tabs, cards: kind.cards, copies: kind.copies },
    codes: kind.tabs?.some(({ id }) => id === tab) ? codes : [],
    destination: {
      ...{ id, name, stopped, failing: view.failingSince !== null, isStopped: stopped !== null },
      ...{ address: kind.address(settings), secret: view.secret, form: formOf(view) },
      previousUntil: view.previousUntil && formatDateTime(view.previousUntil),
      events: view.events.map((event) => ({ id: event, label: EVENT_TEXTS[event].label })),
      ...{ test, values: { ...tested, email: tested.email || seller.email } },
    },
    warning:
      kind.warning?.(
        settings,
        codes.map(({ standard }) => standard),
      ) ?? null,
    values: withSearch(formValues(view, codes), choices),
    version: view.version,
    log: tab === "envios" ? await loadLog(kind, seller.id, id, query) : null,
    choices: { ...choices, known: (settings as Partial<MemberSettings>).known ?? [] },
    today: dayOf(new Date()),
  };
}

const TABS = [
  { id: "envios", label: "Envios" },
  { id: "configuracao", label: "Configuração" },
];
