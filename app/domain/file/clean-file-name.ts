import { cleanLine } from "#app/kit/clean-text.ts";

const MAX_LENGTH = 150;

/** A file's name for display and download: one line, no folder, no characters that change the text direction. */
export function cleanFileName(typed: string): string {
  const last = cleanLine(typed).split(/[/\\]/).at(-1)!;
  const name = trimDots(last.replace(/[<>:"|?*]/g, "_"));
  const letters = [...name];
  if (letters.length <= MAX_LENGTH) return name || "arquivo";
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? "";
  return (
    letters
      .slice(0, MAX_LENGTH - ending.length)
      .join("")
      .trimEnd() + ending
  );
}

/** Blanks and dots at the ends hide a file, or its extension, from people. */
function trimDots(name: string): string {
  let [from, to] = [0, name.length];
  while (from < to && /[\s.]/.test(name[from]!)) from += 1;
  while (to > from && /[\s.]/.test(name[to - 1]!)) to -= 1;
  return name.slice(from, to);
}
