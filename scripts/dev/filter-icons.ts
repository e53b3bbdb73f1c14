import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const FROM = /import (?:type )?\{([^}]*)\} from "lucide-react"/g;
const used = new Set<string>();
const made = new Map<string, string>();

/** Records which icons these files of the app use; without an argument, all files. */
export function noteIcons(files = allOfApp()): void {
  const before = used.size;
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    for (const [, names] of readFileSync(file, "utf8").matchAll(FROM))
      for (const name of names!.split(",")) used.add(name.trim().split(" as ")[0]!);
  }
  if (used.size > before) made.clear();
}

/**
 * One of the two files in which lucide-react lists its two thousand icons, reduced to those in use: esbuild would read the
 * file of each. @param list `lucide-react.mjs` or `icons/index.mjs`
 */
export function filterIcons(list: string): string {
  const text = made.get(list) ?? withoutUnused(list);
  made.set(list, text);
  return text;
}

function withoutUnused(list: string): string {
  const files = filesOfUsed(list.endsWith("index.mjs") ? join(dirname(list), "../lucide-react.mjs") : list);
  return linesOf(list)
    .filter((line) => !line.startsWith("export { default as ") || files.has(fileIn(line)))
    .join("\n");
}

/** The other list lacks some of an icon's names. */
function filesOfUsed(mainFile: string): Set<string> {
  const lines = linesOf(mainFile).filter((line) =>
    [...line.matchAll(/default as (\w+)/g)].some(([, name]) => used.has(name!)),
  );
  return new Set(lines.map(fileIn));
}

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");

const fileIn = (line: string) => basename(line.slice(line.lastIndexOf(" ") + 1));

function allOfApp(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" }).map((file) => `app/${file}`);
}
