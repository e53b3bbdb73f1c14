import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureName, readPictureAddress, type StoredPicture } from "#app/kit/files/pictures.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** The public address of a picture that is ready, in the size and format that every browser supports. */
export function pictureAddress(row: PictureRow): string | null {
  const { use, key, width, height, fallback } = row;
  if (!key || !width || !height || !fallback) return null;
  return env.APP_URL + paths.picture(key, pictureName({ use, width, height, format: fallback }));
}

/** The picture at an address on our own host; null for other hosts, and for other addresses. */
export function findOwnPicture(address: string): StoredPicture | null {
  if (!URL.canParse(address)) return null;
  const { host, origin, pathname } = new URL(address);
  return host === new URL(env.APP_URL).host ? readPictureAddress(origin + pathname) : null;
}
