import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { buildIfStale } from "#scripts/build-if-stale.ts";
import { benchAttack } from "./attack.ts";
import { benchBooks } from "./books.ts";
import { missed } from "./figure.ts";
import { benchFiles } from "./files.ts";
import { benchFlood } from "./flood/flood.ts";
import { benchFlow } from "./flow.ts";
import { benchLighthouse } from "./lighthouse.ts";
import { benchPages } from "./pages.ts";
import { benchPaidChecks } from "./paid-checks.ts";
import { benchPurchaseCost } from "./purchase-cost.ts";
import { benchReports } from "./reports.ts";
import { benchAlone, benchRush } from "./rush.ts";
import { benchScale } from "./scale.ts";
import { benchSettling } from "./settling.ts";
import { type Stage, setStage } from "./stage.ts";
import { benchStart } from "./start.ts";
import { benchViews } from "./views.ts";

/**
 * `npm run bench`: what the product does, beside floors measured in the same run and what we aim at. `-- quick` leaves
 * out the reports of a shop with half a million sales, `-- reports` runs these alone, `-- attack` the attacks alone, or
 * those whose names hold one of the words after it, `-- books` how the books grow, `-- purchase` what one costs, `-- views` whether
 * counting views slows the checkout, `-- scale` what more processes bring, `-- files` files on their way, `-- pages` what light answers cost,
 * `-- flood` how buyers fare while each row of the route table is flooded (words after it choose rows),
 * `-- paid-checks` what checks of paid charges cost as a shop grows old; `-- profile` leaves CPU profiles of web and worker
 * in `.cache/bench/profiles`.
 */
const asked = new Set(process.argv.slice(2));
const profiles = asked.has("profile") ? resolve(".cache/bench/profiles") : null;
const begun = performance.now();

if (await buildIfStale()) console.log("built\n");
const books = asked.delete("books");
const attack = asked.delete("attack");
const flood = asked.delete("flood");
const purchase = asked.delete("purchase");
const views = asked.delete("views");
const scale = asked.delete("scale");
const files = asked.delete("files");
const pages = asked.delete("pages");
const paidChecks = asked.delete("paid-checks");
const alone = books || attack || flood || purchase || views || scale || files || pages || paidChecks;
if (purchase)
  await onStage(async (stage) => {
    await benchAlone(stage);
    await benchRush(stage);
    await benchPurchaseCost(stage);
  });
if (flood) {
  asked.delete("profile");
  await onStage((stage) => benchFlood(stage, asked));
}
if (views) await onStage(benchViews);
if (pages) await onStage(benchPages);
if (files) await onStage((stage) => benchFiles(stage, asked));
if (books) await benchBooks();
if (paidChecks) await benchPaidChecks();
if (scale) await benchScale(profiles);
if (attack) {
  asked.delete("profile");
  await onStage((stage) => benchAttack(stage, asked));
} else if (!alone && !asked.has("reports")) await benchProduct();
if (!alone && !asked.has("quick")) {
  console.log("\nReports, two million sales");
  if (!(await benchReports())) missed.push("reports");
}
console.log(`\n${((performance.now() - begun) / 1000).toFixed(0)} s in all`);
console.log(missed.length === 0 ? "every aim met" : `missed: ${missed.join("; ")}`);

async function benchProduct(): Promise<void> {
  await benchStart();
  const stage = await setStage(profiles);
  try {
    const { status } = spawnSync(process.execPath, ["bench/statements.ts", ...asked], {
      env: stage.environment as NodeJS.ProcessEnv,
      stdio: "inherit",
    });
    if (status !== 0) missed.push("statements of a purchase");
    await stage.open();
    await benchAlone(stage);
    await benchRush(stage);
    await benchPurchaseCost(stage);
    await benchPages(stage);
    await benchViews(stage);
    await benchLighthouse(stage);
    await benchSettling(stage);
    await benchFlow(stage);
    await benchAttack(stage);
    await benchFiles(stage);
  } finally {
    await stage.close();
  }
}

async function onStage(bench: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await setStage(profiles);
  try {
    await stage.open();
    await bench(stage);
  } finally {
    await stage.close();
  }
}
