/** Something a seller wrote that is not kept, as they wrote it, and the reason, in Portuguese. */
export type Removal = { what: string; why: string };

/** A seller's text without what is not kept. Tidied again it stays as it is. */
export type Tidied = { kept: string; removed: Removal[] };

/** More would be a wall of text; the first ones tell enough. */
const MOST = 12;
const LONGEST = 60;

/** Collects removals, each once. */
export function removals(): { list: Removal[]; note: (what: string, why: string) => void } {
  const list: Removal[] = [];
  return {
    list,
    note(what, why) {
      const flat = what.replace(/\s+/g, " ").trim();
      const short = flat.length > LONGEST ? `${flat.slice(0, LONGEST)}…` : flat;
      const known = list.some((one) => one.what === short && one.why === why);
      if (!known && list.length < MOST) list.push({ what: short, why });
    },
  };
}
