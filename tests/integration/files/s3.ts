import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import S3rver from "s3rver";
import type { Bucket } from "#app/platform/storage/bucket-store.server.ts";

/** A service to test against instead, with a bucket of its own: `http://KEY:SECRET@host:port/bucket`. */
export const GROWN_UP = process.env.TEST_S3_URL ?? null;

type Service = { bucket: Bucket; close: () => Promise<void> };

/** An S3 service with one bucket: on this machine, and its files go with it, unless `TEST_S3_URL` names another. */
export async function startS3(): Promise<Service> {
  if (GROWN_UP) return reach(new URL(GROWN_UP));
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

/** The settings that make an app store its files there. */
export function storageSettings({ bucket }: Service): Record<string, string> {
  return {
    STORAGE_ENDPOINT: bucket.endpoint,
    STORAGE_BUCKET: bucket.bucket,
    STORAGE_REGION: bucket.region,
    STORAGE_ACCESS_KEY: bucket.accessKey,
    STORAGE_SECRET_KEY: bucket.secretKey,
  };
}

/** Through a proxy of our own, which can be closed: the service itself stays for the next test. */
async function reach({ hostname, port, username, password, pathname }: URL): Promise<Service> {
  const open = new Set<Socket>();
  const proxy = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy()).on("close", () => open.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  return {
    bucket: {
      endpoint: `http://localhost:${(proxy.address() as AddressInfo).port}`,
      bucket: pathname.slice(1),
      region: "us-east-1",
      accessKey: decodeURIComponent(username),
      secretKey: decodeURIComponent(password),
    },
    async close() {
      const closed = new Promise((done) => proxy.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
