import { randomInt } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AwsClient } from "aws4fetch";
import { MINUTE } from "#app/kit/duration.ts";
import { log } from "#app/platform/log.server.ts";
import { FileGone, type Keeper, PART_BYTES, StorageAway } from "#app/platform/storage/keeper.ts";

export type Bucket = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
};

/** The highest number a part may have, by S3's rules. */
const MAX_PART_NUMBER = 10_000;

/** No part and no answer takes longer. */
const PATIENCE = 5 * MINUTE;

/** Files in a bucket of an S3-compatible service: parts go there as they come, and browsers read at a signed address. */
export function bucketKeeper({ endpoint, bucket, region, accessKey, secretKey }: Bucket): Keeper {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: "s3",
    region,
    // A body that streams cannot be sent twice; who sends a part tries again.
    retries: 0,
  });
  const place = (key = "", query: Record<string, string> = {}) => {
    const search = new URLSearchParams(query).toString();
    return `${endpoint}/${bucket}${key && `/${key}`}${search && `?${search}`}`;
  };

  async function ask(method: string, url: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(PATIENCE);
    return client.fetch(url, { method, signal, ...init }).catch((cause) => {
      throw new StorageAway("the storage service cannot be reached", { cause });
    });
  }

  async function expect(answer: Response, what: string): Promise<string> {
    const text = await answer.text();
    // S3 may begin a 200 and then tell of an error inside.
    if (!answer.ok || /<Error>/.test(text)) throw refusal(answer, what, wordIn(text, "Code"));
    return text;
  }

  /** Some services know nothing of half uploads but to finish them: they forget them by a rule of their own. */
  async function cannot(answer: Response): Promise<boolean> {
    if (answer.status !== 405 && answer.status !== 501) return false;
    await answer.arrayBuffer();
    log.warn(
      { status: answer.status },
      "the storage service cannot clean half uploads: give it a rule that does",
    );
    return true;
  }

  async function sizeOf(key: string): Promise<number | null> {
    const answer = await ask("HEAD", place(key));
    if (answer.status === 404) return gone();
    // Without its words: nothing was wrong with what we asked.
    if (!answer.ok) throw new StorageAway(`storage refused to look: ${answer.status}`);
    return Number(answer.headers.get("content-length"));
  }

  /** Without the bucket itself nothing is known of any file. */
  async function gone(): Promise<null> {
    const answer = await ask("HEAD", place());
    if (answer.status === 404) throw new StorageAway("the storage service has no such bucket");
    return null;
  }

  async function read(key: string, from: number, to: number): Promise<Readable> {
    const answer = await ask("GET", place(key), { headers: { Range: `bytes=${from}-${to}` } });
    if (answer.status === 404) {
      await answer.arrayBuffer();
      await gone();
      throw new FileGone(key);
    }
    if (!answer.ok || !answer.body) await expect(answer, "read");
    return Readable.fromWeb(answer.body as ReadableStream);
  }

  return {
    isShared: true,

    async prepare() {},

    async begin(key) {
      const text = await expect(await ask("POST", `${place(key)}?uploads=`), "begin an upload");
      const ref = wordIn(text, "UploadId");
      if (!ref) throw new Error("storage began no upload");
      return ref;
    },

    // A request that was superseded may still be sending its part: under a number of its own it replaces nobody else's.
    async take({ key, ref, size }, { number, length }, body) {
      const slots = Math.max(1, Math.floor(MAX_PART_NUMBER / Math.ceil(size / PART_BYTES)));
      const partNumber = (number - 1) * slots + 1 + randomInt(slots);
      let isCut = false;
      async function* counted() {
        let bytes = 0;
        for await (const chunk of body) {
          bytes += chunk.byteLength;
          yield chunk;
        }
        isCut = bytes < length;
      }
      const query = { partNumber: String(partNumber), uploadId: ref! };
      let answer: Response;
      try {
        answer = await ask("PUT", place(key, query), {
          headers: { "Content-Length": String(length), "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" },
          body: Readable.toWeb(Readable.from(counted())) as unknown as BodyInit,
          duplex: "half",
        } as RequestInit);
      } catch (error) {
        // The client's connection was cut: the service takes a part whole or not at all.
        if (isCut) return { bytes: 0, add: async () => "", drop: async () => {} };
        throw error;
      }
      await expect(answer, "take a part");
      const tag = `${partNumber} ${answer.headers.get("etag") ?? ""}`;
      return { bytes: length, add: async () => tag, drop: async () => {} };
    },

    async complete({ key, ref, size }, parts) {
      const list = parts
        .map((tag) => tag.split(" ", 2))
        .map(
          ([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag!)}</ETag></Part>`,
        )
        .join("");
      const answer = await ask("POST", place(key, { uploadId: ref! }), {
        headers: { "Content-Type": "application/xml" },
        body: `<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`,
      });
      const text = await answer.text();
      if (answer.ok && !/<Error>/.test(text)) return;
      // An earlier try may have done it and died before it could tell.
      if ((await sizeOf(key)) === size) return;
      throw refusal(answer, "complete", wordIn(text, "Code"));
    },

    async abandon({ key, ref }) {
      if (!ref) return;
      const answer = await ask("DELETE", place(key, { uploadId: ref }));
      if (answer.status === 404 || (await cannot(answer))) return;
      await expect(answer, "abandon an upload");
    },

    read,

    pieces: read,

    async link(key, { contentType, disposition }, seconds) {
      // Else a buyer would meet the service's own words for it.
      if ((await sizeOf(key)) === null) throw new FileGone(key);
      const query = {
        "X-Amz-Expires": String(seconds),
        "response-content-type": contentType,
        "response-content-disposition": disposition,
      };
      const signed = await client.sign(place(key, query), { aws: { signQuery: true } });
      return signed.url;
    },

    async remove(key) {
      const answer = await ask("DELETE", place(key));
      if (answer.status !== 404) await expect(answer, "remove");
    },

    async *halvesBefore(moment) {
      let after: Record<string, string> = {};
      for (;;) {
        const answer = await ask("GET", place("", { uploads: "", ...after }));
        if (await cannot(answer)) return;
        const text = await expect(answer, "list uploads");
        for (const entry of text.split("<Upload>").slice(1)) {
          const [key, ref, began] = ["Key", "UploadId", "Initiated"].map((name) => wordIn(entry, name));
          if (key && ref && began && new Date(began) < moment) yield { key, ref };
        }
        if (wordIn(text, "IsTruncated") !== "true") return;
        after = {
          "key-marker": wordIn(text, "NextKeyMarker") ?? "",
          "upload-id-marker": wordIn(text, "NextUploadIdMarker") ?? "",
        };
      }
    },
  };
}

/** Answers by which a service says that it is busy or not ours (keys, clock, region, bucket): its files are there all the same. */
const AWAY = {
  statuses: [301, 307, 401, 403, 429],
  codes: ["NoSuchBucket", "AuthorizationHeaderMalformed", "InvalidRegionName"],
};

/** Why a service does not do what it is asked. */
function refusal({ status }: Response, what: string, code = ""): Error {
  const words = `storage refused to ${what}: ${status} ${code}`.trimEnd();
  const isAway = status >= 500 || AWAY.statuses.includes(status) || AWAY.codes.includes(code);
  return isAway ? new StorageAway(words) : new Error(words);
}

/** What stands in the first element of that name. */
function wordIn(xml: string, name: string): string | undefined {
  const at = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, at);
  if (at < 0 || end < 0) return undefined;
  return xml
    .slice(at + name.length + 2, end)
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
