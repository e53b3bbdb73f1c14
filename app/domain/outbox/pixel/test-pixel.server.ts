import { eq } from "drizzle-orm";
import type { NewsEvent } from "#app/db/schema/lists.ts";
import { destinations } from "#app/db/schema/outbox.server.ts";
import type { NewsWords } from "#app/domain/outbox/news-words.server.ts";
import { pixelOf } from "#app/domain/outbox/pixel/pixel.ts";
import type { PixelSettings } from "#app/domain/outbox/pixel/settings.ts";
import { testDestination } from "#app/domain/outbox/test-destination.server.ts";
import { pick } from "#app/kit/pick.ts";
import { Refusal } from "#app/kit/refusal.ts";

/** What a test is marked with, by the name its service's panel has for it; GA4's has a door of its own. */
const CODE_MISSING = {
  meta: "Informe o código da aba Eventos de teste da Meta (TEST12345): sem ele o teste contaria como venda.",
  tiktok: "Informe o código da aba Eventos de teste do TikTok: sem ele o teste contaria como venda.",
  kwai: "Informe o click id da ferramenta de teste do Kwai.",
} as const;

/**
 * Asks a pixel's service to judge an invented sale, at its test or debug door.
 * @param code what the service's panel gave for tests; kept for the next one
 * @throws Refusal invalid where it is missing; as `testDestination`
 */
export function testPixel(
  sellerId: string,
  id: string,
  event: NewsEvent,
  code: string,
): Promise<{ status: string; words: NewsWords }> {
  return testDestination("pixel", sellerId, id, event, async (tx, row) => {
    const missing = pick(CODE_MISSING, row.kind);
    if (missing && code === "") throw new Refusal("invalid", missing, "code");
    const settings: PixelSettings = { ...pixelOf(row), testCode: code };
    await tx.update(destinations).set({ settings }).where(eq(destinations.id, row.id));
  });
}
