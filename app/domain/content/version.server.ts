import { versionOf } from "#app/db/version.server.ts";

/** Of what an item's form shows. Its file has ways of its own. */
export function itemVersion({ name, url, html, stamp }: Shown): string {
  return versionOf([name, url, html, stamp.on]);
}
type Shown = { name: string; url: string | null; html: string | null; stamp: { on: boolean } };

/** Of the order that a content's items stand in. */
export function orderVersion(items: { id: string }[]): string {
  return versionOf(items.map(({ id }) => id));
}
