import { gzipSync } from "node:zlib";
import { freePort } from "#scripts/ports.ts";
import { figure, note, written } from "./figure.ts";
import { rates, send } from "./http.ts";
import type { Stage } from "./stage.ts";

const CHECKOUT = "/checkout/s/curso-de-violao";
const gzip = { "Accept-Encoding": "gzip" };

/**
 * The checkout's size, and how many a second are served, compared with the most that remix-serve reaches with an app of
 * three routes.
 */
export async function benchPages(stage: Stage): Promise<void> {
  const { url } = stage;
  const document = (await send(url + CHECKOUT)).body;
  const script = /<script[^>]+src="([^"]+)"/.exec(document.toString())![1]!;
  const styles = [...document.toString().matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
    .map(([, css]) => css)
    .join("");
  const bytes = gzipSync(document).length;
  figure("checkout document with its CSS, gzipped", bytes, { atMost: 14_000 }, " B");
  note("of which CSS, gzipped", `${written(gzipSync(styles).length)} B`);
  figure("its script, gzipped", gzipSync((await send(url + script)).body).length, { atMost: 6_000 }, " B");
  const port = await freePort();
  await stage.run(["node_modules/@remix-run/serve/dist/cli.js", "bench/three-routes.ts"], port);
  const light = { headers: gzip };
  const baseline = () => send(`http://localhost:${port}/healthz`, light);
  const rows = {
    "GET /healthz": () => send(`${url}/healthz`, light),
    "kept checkout page": () => send(url + CHECKOUT, light),
  };
  for (const [name, once] of Object.entries(rows)) {
    const [bare, ours] = await rates(baseline, once, { atOnce: 16, seconds: 2, rounds: 4 });
    const parts = `${written(ours)}/s of ${written(bare)}/s`;
    figure(`${name}, of a remix-serve with three routes`, ours / bare, { atLeast: 0.8 }, "", parts);
  }
}
