/** A part of a seller's code that was removed, as they wrote it, and the reason in Portuguese. */
export type Removal = { what: string; why: string };

/** A seller's text without the removed parts. Idempotent. */
export type TidiedText = { text: string; removed: Removal[] };

/** Only the first ones are listed. */
const MAX_REMOVALS = 12;
const MAX_SHOWN_LENGTH = 60;

/** Collects removals without duplicates. */
export function collectRemovals(): { list: Removal[]; note: (what: string, reason: string) => void } {
  const list: Removal[] = [];
  return {
    list,
    note(what, reason) {
      const flat = what.replace(/\s+/g, " ").trim();
      const short = flat.length > MAX_SHOWN_LENGTH ? `${flat.slice(0, MAX_SHOWN_LENGTH)}…` : flat;
      const known = list.some((one) => one.what === short && one.why === reason);
      if (!known && list.length < MAX_REMOVALS) list.push({ what: short, why: reason });
    },
  };
}
