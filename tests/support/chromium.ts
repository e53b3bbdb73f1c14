import { accessSync, constants, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, resolve } from "node:path";
import type { LaunchOptions } from "playwright-core";

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
const QUIET = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** How to launch a browser: `CHROMIUM_PATH`, else an installed Chrome or Chromium, else the one that comes from npm. */
export async function chromiumLaunch(): Promise<LaunchOptions> {
  const installed = process.env.CHROMIUM_PATH || findInstalled();
  if (installed) return { executablePath: installed, args: QUIET };
  // It unpacks into the temporary folder, which some machines close to users.
  const temporary = resolve(".cache/chromium");
  mkdirSync(temporary, { recursive: true });
  process.env.TMPDIR = temporary;
  // Its ES module build does not run under this loader; the other one does.
  const packed = createRequire(import.meta.url)("@sparticuz/chromium");
  // Not with the flags it brings: they mean one page and out, in one process, with web security off.
  return { executablePath: await (packed.default ?? packed).executablePath(), args: QUIET };
}

function findInstalled(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const mac = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...mac].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
