import { eq } from "drizzle-orm";
import type { Tx } from "#app/db/client.server.ts";
import { notify } from "#app/db/notify.server.ts";
import { pictures } from "#app/db/schema/pictures.server.ts";
import { PICTURES } from "#app/queue/names.ts";

/** A file is whole: where it is a picture, preparing it is due. */
export async function pictureCame(tx: Tx, fileId: string): Promise<void> {
  const [came] = await tx
    .update(pictures)
    .set({ dueAt: new Date(), touchedAt: new Date() })
    .where(eq(pictures.sourceId, fileId))
    .returning({ id: pictures.id });
  if (came) await notify(tx, "due", PICTURES);
}
