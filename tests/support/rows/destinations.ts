import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import { DESTINATIONS } from "#app/domain/delivery/destinations.server.ts";
import type { CommonFields, DestinationRow, Family } from "#app/domain/delivery/kind.ts";
import { listDestinations, showDestination } from "#app/domain/delivery/list-destinations.server.ts";
import type { ItemClasses, MemberSettings, NamedClass } from "#app/domain/delivery/member-area/settings.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import { createDestination, saveDestination } from "#app/domain/delivery/save-destination.server.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import type { RequestOrigin } from "#app/kit/device.ts";

export type PixelKind = "meta" | "ga4" | "tiktok" | "kwai";
export type MemberKind = "cademi" | "memberkit";

/** The functions of all destinations, for one family. */
const create =
  (family: Family) => (sellerId: string, fields: CommonFields, from: RequestOrigin | undefined) =>
    createDestination(family, sellerId, fields, from);
const save =
  (family: Family) =>
  (sellerId: string, id: string, fields: CommonFields, from: RequestOrigin | undefined, version?: string) =>
    saveDestination(family, sellerId, id, fields, from, version);

export const [createWebhook, createPixel, createMemberArea] = [
  create("webhook"),
  create("pixel"),
  create("members"),
];
export const [saveWebhook, savePixel, saveMemberArea] = [save("webhook"), save("pixel"), save("members")];

/** The form of a kind, by the kind that its fields name. */
const formOf = <T extends CommonFields>() => ({
  parse: (fields: object) => schemaOf(fields).parse(fields) as unknown as T,
  safeParse: (fields: object) => schemaOf(fields).safeParse(fields),
});
const schemaOf = (fields: object) =>
  DESTINATIONS[(fields as { kind: keyof typeof DESTINATIONS }).kind].schema;

export type PixelFields = CommonFields & { events: DeliveryEvent[]; counts_pix: boolean };
export const pixelForm = formOf<PixelFields>();
export type MemberFields = CommonFields & { area: string; classes: ItemClasses[] };
export const memberForm = formOf<MemberFields>();

/** A destination's view with its settings in it. */
const view = async <S>(family: Family, sellerId: string, id: string) => {
  const shown = await showDestination(family, sellerId, id);
  return { ...(shown.settings as S), ...shown };
};
export const showPixel = (sellerId: string, id: string) => view<PixelSettings>("pixel", sellerId, id);
export const showMemberArea = async (sellerId: string, id: string) => {
  const shown = await view<MemberSettings>("members", sellerId, id);
  return { ...shown, revokes: shown.events.includes("access.revoked") };
};
export const listPixels = (sellerId: string) => listDestinations("pixel", sellerId);
export const listMemberAreas = (sellerId: string) => listDestinations("members", sellerId);

export const testPixel = (sellerId: string, id: string, event: DeliveryEvent, code: string) =>
  testDestination("pixel", sellerId, id, event, { code });
export const testMemberArea = async (
  sellerId: string,
  id: string,
  typed: { email: string; item: string },
) => {
  const { found, ...result } = await testDestination("members", sellerId, id, "access.granted", typed);
  return { ...result, classes: found as NamedClass[] };
};

/** The events that a kind's form offers. */
export function eventsOf(kind: keyof typeof DESTINATIONS): DestinationRow["events"] {
  return DESTINATIONS[kind].cards.flatMap((card) =>
    card.type === "events" ? card.events.map(({ id }) => id as DeliveryEvent) : [],
  );
}
