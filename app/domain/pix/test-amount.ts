import type { Provider } from "#app/domain/gateway/providers/port.ts";

/** What the PIX of a test asks for, in cents, unless the provider's minimum is higher. */
const AMOUNT_CENTS = 100;

/** The amount of a PIX that only tests a provider. */
export function testAmount({ minimumCents }: Pick<Provider, "minimumCents">): number {
  return Math.max(AMOUNT_CENTS, minimumCents);
}
