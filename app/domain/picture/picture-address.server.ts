import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { type KeptPicture, pictureName, readPictureAddress } from "#app/kit/files/pictures.ts";
import { paths } from "#app/kit/paths.ts";
import { env } from "#app/platform/env.server.ts";

/** Where a picture that is ready can be seen by anybody, in the size and format that every browser takes. */
export function pictureAddress(row: PictureRow): string | null {
  const { place, key, width, height, fallback } = row;
  if (!key || !width || !height || !fallback) return null;
  return env.APP_URL + paths.picture(key, pictureName({ place, width, height, format: fallback }));
}

/** The picture that an address on our own host leads to; null for one elsewhere, and for what is no picture. */
export function ownPicture(address: string): KeptPicture | null {
  if (!URL.canParse(address)) return null;
  const { host, origin, pathname } = new URL(address);
  return host === new URL(env.APP_URL).host ? readPictureAddress(origin + pathname) : null;
}
