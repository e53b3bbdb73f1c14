import { and, desc, eq, inArray, ne, sql } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { findStanding } from "#app/domain/charge/find-standing.server.ts";
import { ProviderError } from "#app/domain/gateway/providers/port.ts";
import type { Standing } from "#app/domain/sale/standing.ts";
import { type Asked, askProvider } from "#app/domain/settlement/ask-provider.server.ts";
import { notFound } from "#app/kit/refusal.ts";

/**
 * A payment as its buyer sees it. `unsure`: the provider was asked and gave no answer; `nextLookAt`: when it may be asked
 * again: a press says that somebody has paid, or is about to, so then it is.
 */
export type PixStatus = {
  saleId: string;
  status: Standing["api"];
  standing: Standing["buyer"];
  unsure: boolean;
  nextLookAt: Date | null;
};

/** Codes of one sale that a press of the button asks about: the one it stands at, and those that ran out before it. */
const MOST_ASKED = 4;

/** Those nobody asked about for longest, the newest first: one press after the other goes round all codes of a sale. */
const BY_LAST_ASKED = [sql`${charges.lastCheckedAt} asc nulls first`, desc(charges.createdAt)];

/**
 * How a payment stands; with `ask` the provider is asked first, about this code and then about the sale's older ones,
 * each as its gate allows, until one turns out to be paid.
 * @throws Refusal not-found
 */
export async function checkPix(chargeId: string, { ask }: { ask: boolean }): Promise<PixStatus> {
  let now = await read({ chargeId });
  const { saleId } = now;
  let unsure = false;
  let nextLookAt: Date | null = null;
  if (ask && now.api !== "completed") {
    for (const id of [chargeId, ...(await otherCodes(saleId, chargeId))]) {
      const answer = await askQuietly(id);
      unsure ||= answer === null;
      if (answer && answer.kind !== "nothing" && (nextLookAt === null || answer.opensAt < nextLookAt))
        nextLookAt = answer.opensAt;
      if (id === chargeId && answer && answer.kind !== "nothing") await lookAgain(id, answer.opensAt);
      if (answer?.kind !== "asked") continue;
      now = await read({ saleId });
      if (now.api === "completed") break;
    }
    // Asked by somebody else meanwhile, who may have booked it.
    if (now.api !== "completed") now = await read({ saleId });
    if (now.api === "completed") [unsure, nextLookAt] = [false, null];
  }
  return { saleId, status: now.api, standing: now.buyer, unsure, nextLookAt };
}

/** Who pays a moment after the press would else wait for as long as the code is old. */
async function lookAgain(chargeId: string, opensAt: Date): Promise<void> {
  const at = sql`${opensAt.toISOString()}::timestamptz`;
  await db
    .update(charges)
    .set({ nextCheckAt: sql`least(coalesce(${charges.nextCheckAt}, ${at}), ${at})` })
    .where(and(eq(charges.id, chargeId), inArray(charges.status, ["open", "expired", "cancelled"])));
}

/** Asks about the codes of a sale, as many as its gates let us ask about at once. @returns whether it is paid by now */
export async function askAboutSale(saleId: string): Promise<Standing> {
  const codes = await db
    .select({ id: charges.id })
    .from(charges)
    .where(and(eq(charges.saleId, saleId), inArray(charges.status, ["open", "expired", "cancelled"])))
    .orderBy(...BY_LAST_ASKED)
    .limit(MOST_ASKED);
  for (const { id } of codes) await askQuietly(id);
  return read({ saleId });
}

/** What asking about a code brought; null where the provider gave no answer. */
async function askQuietly(chargeId: string): Promise<Asked | null> {
  try {
    return await askProvider(chargeId);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** The sale's other codes that may have been paid. */
async function otherCodes(saleId: string, chargeId: string): Promise<string[]> {
  const rows = await db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        eq(charges.saleId, saleId),
        ne(charges.id, chargeId),
        inArray(charges.status, ["open", "expired", "cancelled"]),
      ),
    )
    .orderBy(...BY_LAST_ASKED)
    .limit(MOST_ASKED - 1);
  return rows.map(({ id }) => id);
}

async function read(of: Parameters<typeof findStanding>[0]) {
  const found = await findStanding(of);
  if (!found) throw notFound("Pagamento não encontrado");
  return found;
}
