import { refundCharge } from "#app/domain/refund/refund-charge.server.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";

export async function bought({ pay, deliver }: Stage): Promise<void> {
  await pay();
  await deliver();
}

export const request = ({ seller, charges }: Stage, cents: number | null = null) =>
  refundCharge(seller.id, charges[0]!.chargeId, cents);

/** The provider's next events send no webhook: only its own answers show them. */
export async function unnotified(
  { app, rig, charges }: Stage,
  act: () => Promise<unknown>,
  refunded = true,
): Promise<void> {
  await app.sandbox.webhooks({ drop: true });
  await act();
  if (refunded) await rig.untilBack(charges[0]!.providerId);
  await app.sandbox.webhooks({ drop: false });
}
