import { join } from "node:path";
import { env } from "#app/platform/env.server.ts";
import { bucketKeeper } from "#app/platform/storage/bucket.server.ts";
import { folderKeeper } from "#app/platform/storage/folder.server.ts";
import type { Keeper } from "#app/platform/storage/keeper.ts";

/** Where files are kept: the service that `STORAGE_*` names, else `DATA_DIR/files`. */
export const storage: Keeper = env.STORAGE_ENDPOINT
  ? bucketKeeper({
      endpoint: env.STORAGE_ENDPOINT.replace(/\/$/, ""),
      bucket: env.STORAGE_BUCKET!,
      region: env.STORAGE_REGION,
      accessKey: env.STORAGE_ACCESS_KEY!,
      secretKey: env.STORAGE_SECRET_KEY!,
    })
  : folderKeeper(join(env.DATA_DIR, "files"));
