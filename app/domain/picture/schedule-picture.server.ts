import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { PICTURES } from "#app/queue/names.ts";

/** Schedules the processing of a complete file where it is a picture. */
export async function schedulePicture(tx: Tx, fileId: string): Promise<void> {
  const [scheduled] = await tx
    .update(pictures)
    .set({ scheduledAt: new Date(), touchedAt: new Date() })
    .where(eq(pictures.sourceId, fileId))
    .returning({ id: pictures.id });
  if (scheduled) await notify(tx, "due", PICTURES);
}
