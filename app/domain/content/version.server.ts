import { versionOf } from "#app/db/version.server.ts";

/** The version of an item's form. Its file is replaced separately. */
export function itemVersion({ name, url, html, stamp }: VersionedItem): string {
  return versionOf([name, url, html, stamp.on]);
}
type VersionedItem = { name: string; url: string | null; html: string | null; stamp: { on: boolean } };

/** The version of the order of a content's items. */
export function orderVersion(items: { id: string }[]): string {
  return versionOf(items.map(({ id }) => id));
}
