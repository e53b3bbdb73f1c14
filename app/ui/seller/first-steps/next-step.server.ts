import { whyNobodyCanPay } from "#app/domain/gateway/why-nobody-can-pay.server.ts";
import { firstSteps } from "#app/domain/reports/first-steps.server.ts";
import { type Step, showSteps } from "#app/ui/seller/first-steps/steps.server.ts";

/** The step that comes next on the way to the first sale, and how far that is. */
export type NextStep = { step: Step; done: number; steps: number };

/** It; null for who has sold, and where it is taken `here`, e.g. the step `product` where a product is made. */
export async function nextStep(
  seller: { id: string; name: string; email: string },
  here: string,
): Promise<NextStep | null> {
  const found = await firstSteps(seller.id);
  if (!found) return null;
  const steps = showSteps(seller, found, (await whyNobodyCanPay(seller.id)) === null);
  const step = steps.find(({ done }) => !done);
  if (!step || step.id === here) return null;
  return { step, done: steps.filter(({ done }) => done).length, steps: steps.length };
}
