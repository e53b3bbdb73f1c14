import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const FROM = /import (?:type )?\{([^}]*)\} from "lucide-react"/g;
const drawn = new Set<string>();
const made = new Map<string, string>();

/** Notes which icons these files of the app draw; without files: which all of them do. */
export function noteIcons(files = allOfApp()): void {
  const before = drawn.size;
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    for (const [, names] of readFileSync(file, "utf8").matchAll(FROM))
      for (const name of names!.split(",")) drawn.add(name.trim().split(" as ")[0]!);
  }
  if (drawn.size > before) made.clear();
}

/**
 * One of the two files in which lucide-react names its two thousand icons, with those that we draw: esbuild would look
 * at the file of each. @param list `lucide-react.mjs` or `icons/index.mjs`
 */
export function drawnIcons(list: string): string {
  const text = made.get(list) ?? withoutOthers(list);
  made.set(list, text);
  return text;
}

function withoutOthers(list: string): string {
  const files = filesOfDrawn(list.endsWith("index.mjs") ? join(dirname(list), "../lucide-react.mjs") : list);
  return linesOf(list)
    .filter((line) => !line.startsWith("export { default as ") || files.has(fileIn(line)))
    .join("\n");
}

/** The other list does not know each name of an icon. */
function filesOfDrawn(mainFile: string): Set<string> {
  const lines = linesOf(mainFile).filter((line) =>
    [...line.matchAll(/default as (\w+)/g)].some(([, name]) => drawn.has(name!)),
  );
  return new Set(lines.map(fileIn));
}

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");

const fileIn = (line: string) => basename(line.slice(line.lastIndexOf(" ") + 1));

function allOfApp(): string[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" }).map((file) => `app/${file}`);
}
