import { order } from "./buyer.ts";
import { figure, note, percentile, written } from "./figure.ts";
import { send, sendJson } from "./http.ts";
import { signIn } from "./seller.ts";
import type { Stage } from "./stage.ts";

const ORDERS = 2_000;
const AT_ONCE = 4;
const LIMIT_MS = 5_000;

/** How long buyers wait for their PIX while the seller's first provider does not answer at all. */
export async function benchFailOver(stage: Stage): Promise<void> {
  const { url, sandboxUrl } = stage;
  const headers = await signIn(url);
  const spare = { woovi_enabled: true, woovi_app_id: "sandbox-reserva", first_provider: "pushinpay" };
  const body = JSON.stringify(spare);
  const saved = await send(`${url}/api/settings/gateways`, {
    ...{ method: "POST", body, headers: { ...headers, "Content-Type": "application/json" } },
  });
  if (saved.status >= 400) throw new Error(`the gateways answered ${saved.status} ${saved.body}`);
  await sendJson(`${sandboxUrl}/control/faults`, {
    ...{ service: "pushinpay", route: "cashIn", mode: "timeout", times: 1_000_000 },
  });
  const waited: number[] = [];
  const buyer = async () => {
    while (waited.length < ORDERS) {
      const begun = performance.now();
      await order(stage);
      waited.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, buyer));
  await sendJson(`${sandboxUrl}/control/faults`, { service: "pushinpay", times: 0, mode: "timeout" });
  const late = waited.filter((ms) => ms > LIMIT_MS).length;
  const parts = `${late} of ${written(waited.length)}; p50 ${written(percentile(waited, 0.5))} ms, slowest ${written(Math.max(...waited))} ms`;
  figure(
    "PIX later than 5 s, first provider down",
    (late / waited.length) * 1000,
    { atMost: 1 },
    " ‰",
    parts,
  );
  const [shown] = await stage.sql`select count(*)::int as orders,
    count(*) filter (where open > 1)::int as doubled from (
      select sale_id, count(*) filter (where status = 'open') as open from charges group by sale_id) c`;
  note("orders with two codes that can be paid", `${shown!.doubled} of ${shown!.orders}`);
}
