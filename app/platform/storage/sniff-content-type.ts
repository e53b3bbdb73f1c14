import { pick } from "#app/kit/pick.ts";

/**
 * Content types by a file's first bytes, whatever its name is. Buyers' browsers see the type, so none of them can run
 * scripts.
 */
const SIGNATURES: [type: string, at: number, bytes: string][] = [
  ["application/pdf", 0, "%PDF-"],
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["application/epub+zip", 30, "mimetypeapplication/epub+zip"],
  ["application/zip", 0, "PK\x03\x04"],
  ["application/zip", 0, "PK\x05\x06"],
  ["application/x-rar-compressed", 0, "Rar!\x1a\x07"],
  ["application/x-7z-compressed", 0, "7z\xbc\xaf\x27\x1c"],
  ["application/gzip", 0, "\x1f\x8b"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/mpeg", 0, "\xff\xfb"],
  ["audio/ogg", 0, "OggS"],
  ["audio/flac", 0, "fLaC"],
  ["audio/mp4", 4, "ftypM4A"],
  ["video/quicktime", 4, "ftypqt"],
  ["video/mp4", 4, "ftyp"],
  ["video/webm", 0, "\x1a\x45\xdf\xa3"],
];

/** Types within `RIFF….`, by the four bytes at 8. */
const RIFF: Record<string, string> = { WEBP: "image/webp", WAVE: "audio/wav", "AVI ": "video/x-msvideo" };

export const UNKNOWN_TYPE = "application/octet-stream";

/** How many of a file's first bytes are examined. */
export const SNIFFED_BYTES = 512;

/** A file's content type by its first bytes; `application/octet-stream` if unknown. */
export function sniffContentType(head: Uint8Array): string {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("RIFF")) return pick(RIFF, text.slice(8, 12)) ?? UNKNOWN_TYPE;
  return SIGNATURES.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0] ?? UNKNOWN_TYPE;
}
