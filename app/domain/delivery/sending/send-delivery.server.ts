import { kindOf } from "#app/domain/delivery/destinations.server.ts";
import { beginAttempt, renewLease } from "#app/domain/delivery/sending/begin-attempt.server.ts";
import {
  claimNextOfSubject,
  type DeliverySubject,
  type DeliveryWithDestination,
} from "#app/domain/delivery/sending/claim-deliveries.server.ts";
import { endDelivery, endOfStopped } from "#app/domain/delivery/sending/end-delivery.server.ts";
import { findSkipReason } from "#app/domain/delivery/sending/find-skip-reason.server.ts";
import { makeCall } from "#app/domain/delivery/sending/make-call.server.ts";
import { recordAttempt } from "#app/domain/delivery/sending/record-attempt.server.ts";
import {
  openDestination,
  type ReadNotification,
  renderDelivery,
} from "#app/domain/delivery/sending/render-delivery.server.ts";
import { unseal } from "#app/platform/secrets.server.ts";

/**
 * Sends a claimed delivery. It is sent twice only if it is unknown whether it arrived: the answer was lost, or the worker
 * died.
 * @returns whether other deliveries became due by that
 */
export async function sendDelivery(
  claimed: DeliveryWithDestination,
  read: ReadNotification,
): Promise<boolean> {
  const { delivery, destination } = claimed;
  const now = new Date();
  const kind = kindOf(destination.kind);
  if (destination.stoppedAt) {
    await endOfStopped(delivery);
    return false;
  }
  const skip = await findSkipReason(delivery, kind, now);
  if (skip) return endDelivery(delivery, skip);
  const to = openDestination(destination, now);
  const stored = kind.rendersEachAttempt || delivery.bodySealed === null ? null : unseal(delivery.bodySealed);
  const isKept = stored !== null && !kind.isOutdated?.(stored, to, isChangedSince(claimed));
  const rendered = isKept ? null : await renderDelivery(delivery, to, kind, read);
  if (rendered && "skipReason" in rendered)
    return endDelivery(delivery, { status: "dropped", reason: rendered.skipReason });
  if (!(await beginAttempt(claimed, rendered))) return false;
  const body = rendered ? rendered[0]! : stored!;
  const message = { id: delivery.id, body, at: new Date(), isTest: delivery.saleId === null };
  const stopRenewing = renewLease(claimed);
  const outcome = await makeCall(kind, kind.buildRequest(message, to)).finally(stopRenewing);
  return recordAttempt({ ...claimed, kind, body, outcome, now });
}

/** Whether the destination was saved after the last attempt of the delivery began, or after a part without one was made. */
function isChangedSince({ delivery, destination }: DeliveryWithDestination): boolean {
  const last = delivery.attemptLog.at(-1);
  return destination.updatedAt > (last ? new Date(last.at) : delivery.createdAt);
}

/** Sends all of a subject's queued deliveries that may be sent now, in order, for a caller that waits for the result. */
export async function sendSubject(subject: DeliverySubject, read: ReadNotification): Promise<void> {
  for (;;) {
    const claimed = await claimNextOfSubject(subject);
    if (!claimed) return;
    await sendDelivery(claimed, read);
  }
}
