import { requestRefund } from "#app/domain/refund/request-refund.server.ts";
import type { Stage } from "#tests/integration/scenarios/stage.ts";

export async function bought({ pay, deliver }: Stage): Promise<void> {
  await pay();
  await deliver();
}

export const request = ({ seller, charges }: Stage, cents: number | null = null) =>
  requestRefund(seller.id, charges[0]!.chargeId, cents);

/** What the provider does meanwhile is not told by its webhook: only its own answers are known. */
export async function unnotified(
  { app, rig, charges }: Stage,
  act: () => Promise<unknown>,
  goesBack = true,
): Promise<void> {
  await app.sandbox.webhooks({ drop: true });
  await act();
  if (goesBack) await rig.untilBack(charges[0]!.providerId);
  await app.sandbox.webhooks({ drop: false });
}
