import { and, eq } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { sellers } from "#app/db/schema/sellers.server.ts";
import type { ProviderProfile } from "#app/domain/identity/provider-profile.server.ts";

/** Whether a provider's profile opens that seller's account. Nothing is joined, created or updated. */
export async function isIdentityOf(sellerId: string, { subject }: ProviderProfile): Promise<boolean> {
  const [found] = await db
    .select({ id: sellers.id })
    .from(sellers)
    .where(and(eq(sellers.id, sellerId), eq(sellers.oauthSubject, subject)));
  return found !== undefined;
}
