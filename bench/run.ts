import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { buildIfStale } from "#scripts/build-if-stale.ts";
import { benchAttack } from "./attack.ts";
import { benchBesideBareShop } from "./bare-shop/beside.ts";
import { benchBooks } from "./books.ts";
import { benchDeliveries } from "./deliveries.ts";
import { benchFailOver } from "./fail-over.ts";
import { missed } from "./figure.ts";
import { benchFiles } from "./files.ts";
import { benchFlood } from "./flood/flood.ts";
import { benchFlow } from "./flow.ts";
import { benchLighthouse } from "./lighthouse.ts";
import { benchMemory } from "./memory/memory.ts";
import { benchPages } from "./pages.ts";
import { benchPaidChecks } from "./paid-checks.ts";
import { benchPipeline } from "./pipeline/pipeline.ts";
import { benchPurchaseCost } from "./purchase-cost.ts";
import { benchReports } from "./reports.ts";
import { benchAlone, benchRush } from "./rush.ts";
import { benchScale } from "./scale.ts";
import { benchSettling } from "./settling.ts";
import { type Stage, setStage } from "./stage.ts";
import { benchStart } from "./start.ts";
import { benchViews } from "./views.ts";

/**
 * `npm run bench`: the product's figures, compared with baselines measured in the same run and with targets. `-- quick`
 * skips the reports of a shop with half a million sales, `-- reports` runs only these, `-- attack` only the attacks, or
 * those whose names contain one of the words after it, `-- books` how the tables grow, `-- purchase` the cost of a
 * purchase, `-- views` whether counting views slows the checkout, `-- scale` the effect of more processes, `-- files` file
 * transfers, `-- pages` the cost of light responses, `-- pipeline` what each optimisation of the request
 * pipeline gains, `-- flood` how buyers fare while each row of the route table is
 * flooded (words after it select rows), `-- fail-over` how long buyers wait while a provider is down, `-- paid-checks` the cost of
 * checking paid charges as a shop grows, `-- bare-shop` the product beside the bare shop, `-- deliveries` what a delivered message
 * costs, `-- memory` what web and worker hold after a thousand purchases and twenty minutes; `-- profile`
 * writes CPU profiles of web and worker to `.cache/bench/profiles`.
 */
const args = new Set(process.argv.slice(2));
const profiles = args.has("profile") ? resolve(".cache/bench/profiles") : null;
const begun = performance.now();

if (await buildIfStale()) console.log("built\n");
const books = args.delete("books");
const attack = args.delete("attack");
const flood = args.delete("flood");
const purchase = args.delete("purchase");
const views = args.delete("views");
const scale = args.delete("scale");
const files = args.delete("files");
const pages = args.delete("pages");
const pipeline = args.delete("pipeline");
const paidChecks = args.delete("paid-checks");
const failOver = args.delete("fail-over");
const bareShop = args.delete("bare-shop");
const deliveries = args.delete("deliveries");
const memory = args.delete("memory");
const alone =
  books ||
  attack ||
  flood ||
  purchase ||
  views ||
  scale ||
  files ||
  pages ||
  pipeline ||
  paidChecks ||
  failOver ||
  bareShop ||
  deliveries ||
  memory;
if (purchase)
  await onStage(async (stage) => {
    await benchAlone(stage);
    await benchRush(stage);
    await benchPurchaseCost(stage);
  });
if (flood) {
  args.delete("profile");
  await onStage((stage) => benchFlood(stage, args));
}
if (failOver) await onStage(benchFailOver);
if (bareShop) await onStage(benchBesideBareShop);
if (deliveries) await onStage(benchDeliveries);
if (views) await onStage(benchViews);
if (pages) await onStage(benchPages);
if (pipeline) await onStage((stage) => benchPipeline(stage, args));
if (files) await onStage((stage) => benchFiles(stage, args));
if (memory) await benchMemory(args);
if (books) await benchBooks();
if (paidChecks) await benchPaidChecks();
if (scale) await benchScale(profiles);
if (attack) {
  args.delete("profile");
  await onStage((stage) => benchAttack(stage, args));
} else if (!alone && !args.has("reports")) await benchProduct();
if (!alone && !args.has("quick")) {
  console.log("\nReports, two million sales");
  if (!(await benchReports())) missed.push("reports");
}
console.log(`\n${((performance.now() - begun) / 1000).toFixed(0)} s in all`);
console.log(missed.length === 0 ? "every aim met" : `missed: ${missed.join("; ")}`);

async function benchProduct(): Promise<void> {
  await benchStart();
  const stage = await setStage(profiles);
  try {
    const { status } = spawnSync(process.execPath, ["bench/statements.ts", ...args], {
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
