import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { ownOfSale } from "#app/db/conditions.server.ts";
import { UNDECIDED_CARD } from "#app/db/schema/lists.ts";
import { charges } from "#app/db/schema/payments.server.ts";
import { isPayable } from "#app/domain/charge/conditions.server.ts";

export type ExistingCharge = Awaited<ReturnType<typeof selectCharges>>[number];

/** A PIX that was not created within the last hour: at which account's key, and how many seconds ago. */
export type FailedCharge = { gatewayKeyId: string | null; secondsAgo: number };

/**
 * A sale's charges. `existing`: those that have a code or may have one, and cards that are not decided: a payable one first,
 * then the newest. Read after the sale was locked, so that it contains what others wrote meanwhile.
 */
export async function findCharges(
  tx: Tx,
  sellerId: string,
  saleId: string,
): Promise<{ existing: ExistingCharge[]; failures: FailedCharge[] }> {
  const found = await selectCharges(tx, sellerId, saleId);
  const existing = found.filter(
    ({ status, failureKind }) => status !== "failed" || failureKind === "no-answer",
  );
  const failures = found.flatMap(({ gatewayKeyId, failedSecondsAgo }) =>
    failedSecondsAgo === null ? [] : [{ gatewayKeyId, secondsAgo: failedSecondsAgo }],
  );
  return { existing, failures };
}

function selectCharges(tx: Tx, sellerId: string, saleId: string) {
  const mayExistAtProvider = eq(charges.failureKind, "no-answer");
  const hasFailedLately = sql`(${charges.status} = 'failed' and ${charges.createdAt} > now() - interval '1 hour')`;
  const failedSecondsAgo = sql<
    number | null
  >`case when ${hasFailedLately} then extract(epoch from now() - ${charges.createdAt})::int end`;
  return tx
    .select({
      id: charges.id,
      method: charges.method,
      status: charges.status,
      failureKind: charges.failureKind,
      // By the database's clock: a web that is ahead would create a second code beside one that can be paid.
      isPayable,
      reference: charges.reference,
      gatewayKeyId: charges.gatewayKeyId,
      isBeingCreated: sql<boolean>`${charges.status} = 'creating' and ${charges.creatingUntil} > now()`,
      failedSecondsAgo,
    })
    .from(charges)
    .where(
      and(
        ownOfSale(charges, sellerId, saleId),
        or(
          and(
            eq(charges.method, "pix"),
            or(inArray(charges.status, ["creating", "open", "paid"]), mayExistAtProvider, hasFailedLately),
          ),
          and(eq(charges.method, "card"), inArray(charges.status, UNDECIDED_CARD)),
        ),
      ),
    )
    .orderBy(desc(isPayable), desc(charges.createdAt));
}

/** Whether its code was requested and the answer never came: the request timed out or its process died. */
export function isLost({ status, isBeingCreated }: ExistingCharge): boolean {
  return status === "failed" || (status === "creating" && !isBeingCreated);
}
