import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { areaOf } from "#app/domain/delivery/member-area/access.ts";
import type { MemberSettings, NamedClass } from "#app/domain/delivery/member-area/settings.ts";
import { readClasses } from "#app/domain/delivery/memberkit/memberkit.server.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { listCodes } from "#app/domain/delivery/webhook/list-codes.server.ts";
import { cleanLine, truncate } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** As many classes as a form lists to choose from. */
const MAX_KNOWN_CLASSES = 200;

/**
 * Tests a member area. MemberKit is queried for its classes, which opens nothing. Cademí has no such query: the test opens
 * `item` to `email`, and the seller sees it arrive.
 * @throws Refusal invalid where those are missing; as `testDestination`
 */
export async function testMemberArea(
  sellerId: string,
  id: string,
  { email, item }: { email: string; item: string },
): Promise<{ status: string; text: DeliveryText; classes: NamedClass[] }> {
  const chosen = (await listCodes(sellerId)).find((one) => one.standard === item);
  const result = await testDestination("members", sellerId, id, "access.granted", async (tx, row) => {
    if (row.kind !== "cademi") return;
    if (!isMailAddress(email)) throw new Refusal("invalid", "Informe o e-mail que recebe o acesso.", "email");
    if (!chosen) throw new Refusal("invalid", "Escolha o produto do teste.", "item");
    const settings: MemberSettings = { ...areaOf(row), test: { email, item, name: chosen.name } };
    await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
  });
  const classes = (readClasses(result.answer) ?? [])
    .slice(0, MAX_KNOWN_CLASSES)
    .map((one) => ({ id: one.id, name: truncate(cleanLine(one.name), 80) }));
  if (classes.length > 0) await storeKnownClasses(sellerId, id, classes);
  return { ...result, classes };
}

async function storeKnownClasses(sellerId: string, id: string, known: NamedClass[]): Promise<void> {
  await db.transaction(async (tx) => {
    const own = and(eq(destinations.id, id), eq(destinations.sellerId, sellerId));
    const [row] = await tx.select().from(destinations).where(own).for("no key update");
    if (row?.kind !== "memberkit") return;
    const settings: MemberSettings = { ...areaOf(row), known };
    await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
  });
}
