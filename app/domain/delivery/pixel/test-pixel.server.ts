import { eq } from "drizzle-orm";
import { destinations } from "#app/db/schema/deliveries.server.ts";
import type { DeliveryEvent } from "#app/db/schema/lists.ts";
import type { DeliveryText } from "#app/domain/delivery/delivery-text.server.ts";
import { pixelOf } from "#app/domain/delivery/pixel/pixel.ts";
import type { PixelSettings } from "#app/domain/delivery/pixel/settings.ts";
import { testDestination } from "#app/domain/delivery/test-destination.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** The mark of a test, as its service's panel calls it; GA4 has a debug endpoint instead. */
const CODE_MISSING = {
  meta: "Informe o código da aba Eventos de teste da Meta (TEST12345): sem ele o teste contaria como venda.",
  tiktok: "Informe o código da aba Eventos de teste do TikTok: sem ele o teste contaria como venda.",
  kwai: "Informe o click id da ferramenta de teste do Kwai.",
} as const;

/**
 * Sends an invented sale to a pixel's service, at its test or debug endpoint.
 * @param code from the service's panel, for tests; stored for the next one
 * @throws Refusal invalid where it is missing; as `testDestination`
 */
export function testPixel(
  sellerId: string,
  id: string,
  event: DeliveryEvent,
  code: string,
): Promise<{ status: string; text: DeliveryText }> {
  return testDestination("pixel", sellerId, id, event, async (tx, row) => {
    const missing = pick(CODE_MISSING, row.kind);
    if (missing && code === "") throw new Refusal("invalid", missing, "code");
    const settings: PixelSettings = { ...pixelOf(row), testCode: code };
    await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
  });
}
