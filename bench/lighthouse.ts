import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { chromiumLaunch } from "#tests/support/clients/chromium.ts";
import { figure } from "./figure.ts";
import type { Stage } from "./stage.ts";

const REPORT = ".cache/bench/lighthouse.json";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/**
 * Lighthouse's four scores (mobile preset) for checkout and thank-you page, each 0 to 100. Run with `npm exec` and not a
 * dependency: npm writes a lock file with it that `npm ci` then refuses.
 */
export async function benchLighthouse({ url, sql }: Stage): Promise<void> {
  // A product without upsells, which would be shown before the page itself.
  const [sale] = await sql`select id from sales s where status = 'completed' and product_id is not null
    and not exists (select from upsells o where o.product_id = s.product_id) order by created_at desc limit 1`;
  const { executablePath } = await chromiumLaunch();
  // A purchase's page is private to its buyer and noindex, which is what that audit reports.
  const pages: [string, string, string[]][] = [
    ["checkout", "/checkout/s/curso-de-violao", []],
    ["thank-you", `/thank-you/${sale!.id}`, ["--skip-audits=is-crawlable"]],
  ];
  for (const [name, path, options] of pages) {
    const { status, stderr } = spawnSync(
      "npm",
      [
        ...["exec", "--yes", "--package=lighthouse@12.8.2", "--", "lighthouse"],
        url + path,
        "--quiet",
        "--output=json",
        `--output-path=${REPORT}`,
        `--only-categories=${CATEGORIES.join(",")}`,
        "--chrome-flags=--headless=old --no-sandbox --disable-gpu --disable-background-networking",
        ...options,
      ],
      { encoding: "utf8", env: { ...process.env, CHROME_PATH: executablePath } },
    );
    if (status !== 0) throw new Error(`lighthouse failed on ${name}\n${stderr}`);
    const { categories } = JSON.parse(readFileSync(REPORT, "utf8"));
    rmSync(REPORT);
    for (const category of CATEGORIES) {
      figure(`lighthouse, ${name}: ${category}`, Math.round(categories[category].score * 100), {
        atLeast: 95,
      });
    }
  }
}
