import { cleanLine } from "#app/kit/clean-text.ts";

const LONGEST = 150;

/** A file's name as it is shown and offered for saving: one line, no folder, nothing that turns the words around it. */
export function fileName(typed: string): string {
  const last = cleanLine(typed).split(/[/\\]/).at(-1)!;
  const name = withoutDots(last.replace(/[<>:"|?*]/g, "_"));
  const letters = [...name];
  if (letters.length <= LONGEST) return name || "arquivo";
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? "";
  return (
    letters
      .slice(0, LONGEST - ending.length)
      .join("")
      .trimEnd() + ending
  );
}

/** Blanks and dots at the ends hide a file, or its ending, from people. */
function withoutDots(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && /[\s.]/.test(name[from]!)) from += 1;
  while (to > from && /[\s.]/.test(name[to - 1]!)) to -= 1;
  return name.slice(from, to);
}
