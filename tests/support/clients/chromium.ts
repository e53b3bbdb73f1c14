import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import type { LaunchOptions } from "playwright";
import { sharedMemory } from "#tests/support/run/slots.ts";

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];
const QUIET = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  // Hosts of one domain, for tests that need several.
  "--host-resolver-rules=MAP *.loja.test 127.0.0.1",
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** How to launch a browser: `CHROMIUM_PATH`, else an installed Chrome or Chromium, else the one that comes from npm. */
export async function chromiumLaunch(): Promise<LaunchOptions> {
  // Playwright has pages share files of the disk with the browser.
  const ignoreDefaultArgs = sharedMemory() ? ["--disable-dev-shm-usage"] : [];
  const usual = { args: QUIET, ignoreDefaultArgs };
  const installed = process.env.CHROMIUM_PATH || findInstalled();
  if (installed) return { executablePath: installed, ...usual };
  const executablePath = await unpacked();
  // Profiles go there too: some machines close the usual temporary folder to users.
  process.env.TMPDIR = dirname(executablePath);
  // Not with the flags it brings: they mean one page and out, in one process, with web security off.
  return { executablePath, ...usual };
}

/**
 * Several test files may need it at once, and one may be stopped half way: each unpacks separately, the first moves
 * it into place.
 */
async function unpacked(): Promise<string> {
  const home = resolve(".cache/chromium");
  const binary = join(home, "chromium");
  if (existsSync(binary)) return binary;
  mkdirSync(dirname(home), { recursive: true });
  const own = mkdtempSync(`${home}-`);
  process.env.TMPDIR = own; // where the package unpacks
  // Its ES module build does not run under this loader; the other one does.
  const packed = createRequire(import.meta.url)("@sparticuz/chromium");
  await (packed.default ?? packed).executablePath();
  try {
    renameSync(own, home);
  } catch (error) {
    if (!existsSync(binary)) throw error;
    rmSync(own, { recursive: true });
  }
  return binary;
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
