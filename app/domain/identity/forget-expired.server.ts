import { lt } from "drizzle-orm";
import { db } from "#app/db/client.server.ts";
import { emailTokens, sessions } from "#app/db/schema/sellers.server.ts";
import { throttles } from "#app/db/schema/throttles.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { defineJob } from "#app/queue/job.server.ts";

/** Deletes what no longer opens anything: sessions and links past their time, counts of tries that ran out. */
export const forgetExpired = defineJob("forget-expired", async () => {
  const now = new Date();
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, new Date(now.getTime() - 7 * DAY)));
  await db.delete(throttles).where(lt(throttles.expire, now.getTime()));
});
