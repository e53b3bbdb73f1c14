import { randomInt } from "node:crypto";
import { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import { MINUTE, SECOND } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import {
  type BlobStore,
  FileMissing,
  MAX_PART_BYTES,
  StorageUnavailable,
} from "#app/platform/storage/blob-store.ts";
import { describeFailures } from "#app/platform/storage/body-failures.ts";
import {
  brokenOff,
  elementText,
  escaped,
  storageError,
  textOf,
} from "#app/platform/storage/bucket-answers.ts";

export type Bucket = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
};

/** The highest part number that S3 allows. */
const MAX_PART_NUMBER = 10_000;

/** Limit for each part and each answer. */
const TIMEOUT = 5 * MINUTE;
/** Limit until the service begins to answer, where it has little to do: somebody waits for a page. */
const QUICK_TIMEOUT = 10 * SECOND;

/**
 * Files in a bucket of an S3-compatible service: parts are passed on as they arrive, and browsers read from a signed
 * address.
 */
export function bucketStore({ endpoint, bucket, region, accessKey, secretKey }: Bucket): BlobStore {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: "s3",
    region,
    retries: 0,
  });
  const urlOf = (key = "", query: Record<string, string> = {}) => {
    const search = new URLSearchParams(query).toString();
    return `${endpoint}/${bucket}${key && `/${key}`}${search && `?${search}`}`;
  };

  /** Sends a request, and once more if its connection broke: the service may have just closed one that was idle. */
  async function send(
    method: string,
    url: string,
    init: RequestInit = {},
    timeout = QUICK_TIMEOUT,
  ): Promise<Response> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), timeout);
    const signal = AbortSignal.any([silence.signal, AbortSignal.timeout(TIMEOUT)]);
    const attempt = () => client.fetch(url, { method, signal, ...init });
    // A streaming body cannot be sent twice; the sender of a part retries.
    const canRepeat = !(init.body instanceof ReadableStream);
    return attempt()
      .catch((cause) => {
        if (!canRepeat || signal.aborted) throw cause;
        return attempt();
      })
      .catch((cause) => {
        throw new StorageUnavailable("the storage service cannot be reached", { cause });
      })
      .finally(() => clearTimeout(timer));
  }

  async function requireOk(answer: Response, what: string): Promise<string> {
    const text = await textOf(answer);
    // S3 may answer 200 and report an error in the body.
    if (!answer.ok || /<Error>/.test(text)) throw storageError(answer, what, elementText(text, "Code"));
    return text;
  }

  /** Some services only support completing multipart uploads; they delete unfinished ones by a rule of their own. */
  async function isUnsupported(answer: Response): Promise<boolean> {
    if (answer.status !== 405 && answer.status !== 501) return false;
    await answer.arrayBuffer();
    log.warn(
      { status: answer.status },
      "the storage service cannot delete unfinished uploads: give it a rule that does",
    );
    return true;
  }

  async function sizeOf(key: string): Promise<number | null> {
    const answer = await send("HEAD", urlOf(key));
    if (answer.status === 404) return requireBucket();
    // Without its message: our request was fine.
    if (!answer.ok) throw new StorageUnavailable(`storage refused the check: ${answer.status}`);
    return Number(answer.headers.get("content-length"));
  }

  /** Without the bucket itself nothing is known about any file. */
  async function requireBucket(): Promise<null> {
    const answer = await send("HEAD", urlOf());
    if (answer.status === 404) throw new StorageUnavailable("the storage service has no such bucket");
    return null;
  }

  async function read(key: string, from: number, to: number): Promise<AsyncIterable<Uint8Array>> {
    const answer = await send("GET", urlOf(key), { headers: { Range: `bytes=${from}-${to}` } });
    if (answer.status === 404) {
      await answer.arrayBuffer();
      await requireBucket();
      throw new FileMissing(key);
    }
    if (!answer.ok || !answer.body) await requireOk(answer, "read");
    const body = answer.body as ReadableStream<Uint8Array>;
    const isWholeFile = from === 0 && Number(answer.headers.get("content-length")) === to + 1;
    if (answer.status !== 206 && !isWholeFile) {
      await body.cancel();
      throw new StorageUnavailable("the storage service does not send parts of a file");
    }
    return describeFailures(body, brokenOff);
  }

  return {
    isShared: true,

    async prepare() {},

    async begin(key) {
      const text = await requireOk(await send("POST", `${urlOf(key)}?uploads=`), "begin an upload");
      const ref = elementText(text, "UploadId");
      if (!ref) throw new Error("storage returned no upload id");
      return ref;
    },

    // A superseded request may still be sending its part: a number of its own keeps it from replacing another's.
    async receivePart({ key, ref, size }, { number, length }, body) {
      const slots = Math.max(1, Math.floor(MAX_PART_NUMBER / Math.ceil(size / MAX_PART_BYTES)));
      const partNumber = (number - 1) * slots + 1 + randomInt(slots);
      let isTruncated = false;
      async function* countBytes() {
        let bytes = 0;
        for await (const chunk of body) {
          bytes += chunk.byteLength;
          yield chunk;
        }
        isTruncated = bytes < length;
      }
      const query = { partNumber: String(partNumber), uploadId: ref! };
      let answer: Response;
      try {
        const init = {
          headers: { "Content-Length": String(length), "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" },
          body: Readable.toWeb(Readable.from(countBytes())) as unknown as BodyInit,
          duplex: "half" as const,
        };
        answer = await send("PUT", urlOf(key, query), init, TIMEOUT);
      } catch (error) {
        // The client's connection was cut: the service accepts only complete parts.
        if (isTruncated) return { bytes: 0, commit: async () => "", discard: async () => {} };
        throw error;
      }
      await requireOk(answer, "take a part");
      const tag = `${partNumber} ${answer.headers.get("etag") ?? ""}`;
      return { bytes: length, commit: async () => tag, discard: async () => {} };
    },

    async complete({ key, ref, size }, parts) {
      const list = parts
        .map((tag) => tag.split(" ", 2))
        .map(
          ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag!)}</ETag></Part>`,
        )
        .join("");
      const init = {
        headers: { "Content-Type": "application/xml" },
        body: `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`,
      };
      // The service may join the parts before it answers.
      const answer = await send("POST", urlOf(key, { uploadId: ref! }), init, TIMEOUT);
      const text = await textOf(answer);
      if (answer.ok && !/<Error>/.test(text)) return;
      // An earlier attempt may have completed it and died before it could report that.
      if ((await sizeOf(key)) === size) return;
      throw storageError(answer, "complete", elementText(text, "Code"));
    },

    async abandon({ key, ref }) {
      if (!ref) return;
      const answer = await send("DELETE", urlOf(key, { uploadId: ref }));
      if (answer.status === 404 || (await isUnsupported(answer))) return;
      await requireOk(answer, "abandon an upload");
    },

    read,

    readChunks: read,

    async link(key, { contentType, disposition }, seconds) {
      // Otherwise a buyer would see the service's own error.
      if ((await sizeOf(key)) === null) throw new FileMissing(key);
      const query = {
        "X-Amz-Expires": String(seconds),
        "response-content-type": contentType,
        "response-content-disposition": disposition,
      };
      const signed = await client.sign(urlOf(key, query), { aws: { signQuery: true } });
      return signed.url;
    },

    async remove(key) {
      const answer = await send("DELETE", urlOf(key));
      if (answer.status !== 404) await requireOk(answer, "remove");
    },

    async *unfinishedBefore(moment) {
      let after: Record<string, string> = {};
      for (;;) {
        const answer = await send("GET", urlOf("", { uploads: "", ...after }));
        if (await isUnsupported(answer)) return;
        const text = await requireOk(answer, "list uploads");
        for (const entry of text.split("<Upload>").slice(1)) {
          const [key, ref, began] = ["Key", "UploadId", "Initiated"].map((name) => elementText(entry, name));
          if (key && ref && began && new Date(began) < moment) yield { key, ref };
        }
        const marker = elementText(text, "NextKeyMarker");
        const idMarker = elementText(text, "NextUploadIdMarker") ?? "";
        const isSamePage = marker === after["key-marker"] && idMarker === after["upload-id-marker"];
        // A service that does not say where the list goes on would send its beginning again.
        if (elementText(text, "IsTruncated") !== "true" || !marker || isSamePage) return;
        after = { "key-marker": marker, "upload-id-marker": idMarker };
      }
    },
  };
}
