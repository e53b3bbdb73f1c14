import { gzipSync } from "node:zlib";
import { figure, note, written } from "./figure.ts";
import { rates, send } from "./http.ts";
import type { Stage } from "./stage.ts";

const CHECKOUT = "/checkout/s/curso-de-violao";
const gzip = { "Accept-Encoding": "gzip" };

/** What a checkout weighs, and how many a second beside a bare resource route of the same server. */
export async function benchPages({ url }: Stage): Promise<void> {
  const document = (await send(url + CHECKOUT)).body;
  const script = /<script[^>]+src="([^"]+)"/.exec(document.toString())![1]!;
  const styles = [...document.toString().matchAll(/<style[^>]*>(.*?)<\/style>/gs)]
    .map(([, css]) => css)
    .join("");
  const bytes = gzipSync(document).length;
  figure("checkout document with its CSS, gzipped", bytes, { atMost: 14_000 }, " B");
  note("of which CSS, gzipped", `${written(gzipSync(styles).length)} B`);
  figure("its script, gzipped", gzipSync((await send(url + script)).body).length, { atMost: 6_000 }, " B");
  const [floor, checkout] = await rates(
    () => send(`${url}/healthz`, { headers: gzip }),
    () => send(url + CHECKOUT, { headers: gzip }),
    { atOnce: 16, seconds: 2, rounds: 4 },
  );
  figure(
    "checkout GET, of a bare route (/healthz)",
    checkout / floor,
    { atLeast: 0.6 },
    "",
    `${written(checkout)}/s of ${written(floor)}/s`,
  );
}
