/**
 * What keeps files: a folder or an S3-compatible service. It knows a file by a key of ours and sees no name of a seller's.
 * A file that is on its way is in another place than a whole one: nothing half is ever found under a key.
 */
export type Keeper = {
  /** Others may keep things of theirs there, too. */
  isShared: boolean;
  /** Makes ready for the first file there ever is. */
  prepare(): Promise<void>;
  /**
   * Makes ready for the parts of a file.
   * @returns by what the keeper knows the upload, where it needs a name of its own
   * @throws StorageAway, also where nothing was ever kept: see `prepare`
   */
  begin(key: string): Promise<string | null>;
  /** Takes a part from a stream, and only holds it: nobody has it before `add`. Less may come than was announced. */
  take(upload: Upload, part: Part, body: AsyncIterable<Uint8Array>): Promise<Taken>;
  /** Makes a whole of all parts, under its key. Doing it twice does no harm. @param parts what `add` told of each */
  complete(upload: Upload, parts: string[]): Promise<void>;
  /** Forgets an upload that will not be finished; an unknown one is no error. */
  abandon(upload: Omit<Upload, "size">): Promise<void>;
  /** A stretch of a whole file, its last byte included. @throws FileGone, StorageAway */
  read(key: string, from: number, to: number): Promise<AsyncIterable<Uint8Array>>;
  /** The same for what is sent on at once: a piece holds only until the next one is asked for. */
  pieces(key: string, from: number, to: number): Promise<AsyncIterable<Uint8Array>>;
  /** An address that whoever has it may read the file at for so many seconds; null where we stream it ourselves. @throws FileGone, StorageAway */
  link(key: string, as: SentAs, seconds: number): Promise<string | null>;
  /** Deletes a whole file; an unknown one is no error. */
  remove(key: string): Promise<void>;
  /** Uploads that nobody finished and that began, or came on, before a moment: for who cleans. */
  halvesBefore(moment: Date): AsyncIterable<{ key: string; ref: string | null }>;
};

/** `size` in bytes. */
export type Upload = { key: string; ref: string | null; size: number };

/** `number` counts from 1; `offset` and `length` are bytes. */
export type Part = { number: number; offset: number; length: number };

/** A part the keeper holds. `bytes` may be fewer than were announced where the connection was cut. */
export type Taken = {
  bytes: number;
  /** Puts it in its place. @returns what `complete` is told of it */
  add: () => Promise<string>;
  /** Lets it go; after `add` it does nothing. */
  drop: () => Promise<void>;
};

/** How a browser is told to take a file. */
export type SentAs = { contentType: string; disposition: string };

/** There is no room for more. */
export class StorageFull extends Error {}

/** The keeper itself is not there: nothing is known of its files. */
export class StorageAway extends Error {}

/** A file that should be there is not. */
export class FileGone extends Error {}

/** The most a part may weigh: no request of it lasts long, and S3 wants at least 5 MiB of all but the last. */
export const PART_BYTES = 8 * 1024 * 1024;
