import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { accessEvents } from "#app/domain/delivery/member-area/member-kind.server.ts";
import type { MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import { seal } from "#app/platform/secrets.server.ts";
import { eventsOf, type MemberKind, type PixelKind } from "#tests/support/rows/destinations.ts";

/** The sandbox accepts it. */
export const PIXEL_TOKEN = "sandbox-EAAG-segredo";

const IDS: Record<PixelKind, string> = {
  meta: "1234567890123456",
  ga4: "G-AB12CD34EF",
  tiktok: "C4A1B2C3D4E5F6G7H8I9",
  kwai: "123456789012345",
};

/** A pixel at the sandbox's advertiser, with every event it supports. @returns its id */
export async function makePixel(
  seller: { id: string },
  kind: PixelKind,
  {
    pixelId = IDS[kind],
    countsPixSince = null,
    testCode = "",
    ...fields
  }: Partial<PixelSettings> & Partial<typeof destinations.$inferInsert> = {},
): Promise<string> {
  const settings: PixelSettings = { pixelId, countsPixSince, testCode };
  const [row] = await db
    .insert(destinations)
    .values({
      sellerId: seller.id,
      kind,
      name: `Pixel ${kind}`,
      events: eventsOf(kind),
      settings,
      tokenSealed: seal(PIXEL_TOKEN),
      ...fields,
    })
    .returning({ id: destinations.id });
  return row!.id;
}

/** The sandbox accepts it. */
export const MEMBER_KEY = "sandbox-chave-segredo";

/** A member area at the sandbox that opens and closes. @returns its id */
export async function makeMemberArea(
  seller: { id: string },
  kind: MemberKind,
  {
    area = kind === "cademi" ? "minha-escola" : "",
    classes = [],
    withDocument = false,
    ...fields
  }: Partial<MemberSettings> & Partial<typeof destinations.$inferInsert> = {},
): Promise<string> {
  const test = { email: "", item: "", name: "" };
  const settings: MemberSettings = { area, classes, withDocument, known: [], test };
  const [row] = await db
    .insert(destinations)
    .values({
      sellerId: seller.id,
      kind,
      name: `Área ${kind}`,
      events: accessEvents(true),
      settings,
      tokenSealed: seal(MEMBER_KEY),
      ...fields,
    })
    .returning({ id: destinations.id });
  return row!.id;
}
