import { readReceiving } from "#app/domain/gateway/read-receiving.server.ts";
import { readFirstSteps } from "#app/domain/reports/first-steps.server.ts";
import { type Step, showSteps } from "#app/ui/seller/first-steps/steps.server.ts";

/** The next step to the first sale, and the progress so far. */
export type NextStep = { step: Step; done: number; steps: number };

/**
 * Returns the next step; null for sellers who have sold, and for the step of the current screen (`here`), e.g. `product`
 * where a product is created.
 */
export async function nextStep(
  seller: { id: string; name: string; email: string },
  here: string,
): Promise<NextStep | null> {
  const found = await readFirstSteps(seller.id);
  if (!found) return null;
  const steps = showSteps(seller, found, await readReceiving(seller.id));
  const step = steps.find(({ done }) => !done);
  if (!step || step.id === here) return null;
  return { step, done: steps.filter(({ done }) => done).length, steps: steps.length };
}
