import { join } from "node:path";
import { env } from "#app/platform/env.server.ts";
import type { BlobStore } from "#app/platform/storage/blob-store.ts";
import { bucketStore } from "#app/platform/storage/bucket-store.server.ts";
import { folderStore } from "#app/platform/storage/folder-store.server.ts";

/** Where files are stored: the service that `STORAGE_*` names, else `DATA_DIR/files`. */
export const storage: BlobStore = env.STORAGE_ENDPOINT
  ? bucketStore({
      endpoint: env.STORAGE_ENDPOINT.replace(/\/$/, ""),
      bucket: env.STORAGE_BUCKET!,
      region: env.STORAGE_REGION,
      accessKey: env.STORAGE_ACCESS_KEY!,
      secretKey: env.STORAGE_SECRET_KEY!,
    })
  : folderStore(join(env.DATA_DIR, "files"));
