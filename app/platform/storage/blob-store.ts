/**
 * Stores files in a folder or an S3-compatible service, by a key of ours; it never sees a seller's file name.
 * Incomplete files are stored apart, so that a key only ever leads to a complete file.
 */
export type BlobStore = {
  /** Others may store their own files there. */
  isShared: boolean;
  /** Prepares the store before its first file. */
  prepare(): Promise<void>;
  /**
   * Begins an upload.
   * @returns the store's own id of the upload, if it needs one
   * @throws StorageUnavailable, also if the store was never prepared: see `prepare`
   */
  begin(key: string): Promise<string | null>;
  /**
   * Receives a part from a stream. It becomes part of the upload only with `commit`. Fewer bytes may arrive than
   * announced.
   */
  receivePart(upload: Upload, part: Part, body: AsyncIterable<Uint8Array>): Promise<ReceivedPart>;
  /** Joins all parts into the file under its key. Idempotent. @param parts what `commit` returned for each */
  complete(upload: Upload, parts: string[]): Promise<void>;
  /** Deletes an unfinished upload; an unknown one is no error. */
  abandon(upload: Omit<Upload, "size">): Promise<void>;
  /** A range of a complete file, `to` inclusive. @throws FileMissing, StorageUnavailable */
  read(key: string, from: number, to: number): Promise<AsyncIterable<Uint8Array>>;
  /** Like `read`, for passing on at once: a chunk is valid only until the next one is requested. */
  readChunks(key: string, from: number, to: number): Promise<AsyncIterable<Uint8Array>>;
  /**
   * A public address of the file, valid for `seconds`; null if we stream it ourselves. @throws FileMissing,
   * StorageUnavailable
   */
  link(key: string, as: DownloadHeaders, seconds: number): Promise<string | null>;
  /** Deletes a complete file; an unknown one is no error. @throws StorageUnavailable */
  remove(key: string): Promise<void>;
  /** Unfinished uploads without activity since `moment`, for the clean-up. */
  unfinishedBefore(moment: Date): AsyncIterable<{ key: string; ref: string | null }>;
};

/** `size` in bytes. */
export type Upload = { key: string; ref: string | null; size: number };

/** `number` counts from 1; `offset` and `length` are bytes. */
export type Part = { number: number; offset: number; length: number };

/** A part that was received. `bytes` may be fewer than announced if the connection was cut. */
export type ReceivedPart = {
  bytes: number;
  /** Adds the part to the upload. @returns what `complete` needs of it */
  commit: () => Promise<string>;
  /** Discards the part; after `commit` it does nothing. */
  discard: () => Promise<void>;
};

/** How a browser should treat a file. */
export type DownloadHeaders = { contentType: string; disposition: string };

/** No space left. */
export class StorageFull extends Error {}

/** The store cannot be reached: nothing is known about its files. */
export class StorageUnavailable extends Error {}

/** A file that should exist does not. */
export class FileMissing extends Error {}

/** The largest part: keeps each request short; S3 wants at least 5 MiB for all but the last. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;
