import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import { accessEvents } from "#app/domain/delivery/member-area/member-kind.server.ts";
import type { MemberSettings } from "#app/domain/delivery/member-area/settings.ts";
import { seal } from "#app/platform/secrets.server.ts";
import type { MemberKind } from "#tests/support/rows/destinations.ts";

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
