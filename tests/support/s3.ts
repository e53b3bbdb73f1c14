import { mkdtempSync, rmSync } from "node:fs";
import S3rver from "s3rver";
import type { Bucket } from "#app/platform/storage/bucket.server.ts";

/** An S3 service on this machine with one bucket, whose files go with it. */
export async function startS3(): Promise<{ bucket: Bucket; close: () => Promise<void> }> {
  const directory = mkdtempSync(".cache/s3-");
  const server = new S3rver({
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "arquivos" }],
  });
  const { port } = await server.run();
  return {
    bucket: {
      endpoint: `http://localhost:${port}`,
      bucket: "arquivos",
      region: "us-east-1",
      accessKey: "S3RVER",
      secretKey: "S3RVER",
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
