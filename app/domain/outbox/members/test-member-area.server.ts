import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import { readClasses } from "#app/domain/outbox/memberkit/memberkit.server.ts";
import { areaOf } from "#app/domain/outbox/members/access.ts";
import type { MemberSettings, NamedClass } from "#app/domain/outbox/members/settings.ts";
import type { NewsWords } from "#app/domain/outbox/news-words.server.ts";
import { testDestination } from "#app/domain/outbox/test-destination.server.ts";
import { listCodes } from "#app/domain/outbox/webhook/list-codes.server.ts";
import { cleanLine, cut } from "#app/kit/clean-text.ts";
import { isMailAddress } from "#app/kit/mail-address.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** As many classes as a form offers to choose from. */
const KNOWN = 200;

/**
 * Tries a member area. MemberKit is asked for its classes, which opens nothing. Cademí has no such question: there the thing
 * `item` is opened to `email`, for the seller to see it arrive.
 * @throws Refusal invalid where those are missing; as `testDestination`
 */
export async function testMemberArea(
  sellerId: string,
  id: string,
  { email, item }: { email: string; item: string },
): Promise<{ status: string; words: NewsWords; classes: NamedClass[] }> {
  const chosen = (await listCodes(sellerId)).find((one) => one.standard === item);
  const tried = await testDestination("members", sellerId, id, "access.granted", async (tx, row) => {
    if (row.kind !== "cademi") return;
    if (!isMailAddress(email)) throw new Refusal("invalid", "Informe o e-mail que recebe o acesso.", "email");
    if (!chosen) throw new Refusal("invalid", "Escolha o produto do teste.", "item");
    const settings: MemberSettings = { ...areaOf(row), test: { email, item, name: chosen.name } };
    await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
  });
  const classes = (readClasses(tried.answer) ?? [])
    .slice(0, KNOWN)
    .map((one) => ({ id: one.id, name: cut(cleanLine(one.name), 80) }));
  if (classes.length > 0) await keepKnown(sellerId, id, classes);
  return { ...tried, classes };
}

async function keepKnown(sellerId: string, id: string, known: NamedClass[]): Promise<void> {
  await db.transaction(async (tx) => {
    const own = and(eq(destinations.id, id), eq(destinations.sellerId, sellerId));
    const [row] = await tx.select().from(destinations).where(own).for("no key update");
    if (row?.kind !== "memberkit") return;
    const settings: MemberSettings = { ...areaOf(row), known };
    await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
  });
}
