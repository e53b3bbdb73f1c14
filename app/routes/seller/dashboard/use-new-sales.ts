import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { DashboardStats } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";

/** How often a dashboard that is looked at asks whether something was sold. */
const ASK_EVERY = 10 * SECOND;

type Sale = { id: string; status: string };

/**
 * Keeps the dashboard current while it is looked at: whoever comes back to it finds it anew, and a sale that is paid
 * meanwhile shows by itself. Where the network fails nothing happens.
 * @returns which sales were not there, or not paid, when the page was opened
 */
export function useNewSales(stats: DashboardStats, sales: Sale[]) {
  const { revalidate } = useRevalidator();
  const [first] = useState(() => new Set(sales.map(({ id, status }) => `${id} ${status}`)));
  const shown = useRef("");
  shown.current = JSON.stringify(Object.values(stats).map(({ count, totalCents }) => [count, totalCents]));
  useEffect(() => {
    const look = async (cameBack: boolean) => {
      if (document.visibilityState !== "visible") return;
      const sold = await readStats();
      if (sold !== null && (cameBack || sold !== shown.current)) revalidate();
    };
    const timer = setInterval(() => look(false), ASK_EVERY);
    const back = () => look(true);
    document.addEventListener("visibilitychange", back);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", back);
    };
  }, [revalidate]);
  return { isNew: ({ id, status }: Sale) => status === "completed" && !first.has(`${id} ${status}`) };
}

/** What is sold now, as it is compared; null where nobody answers. */
async function readStats(): Promise<string | null> {
  try {
    const answer = await fetch(paths.dashboardStats(), { headers: { Accept: "application/json" } });
    if (!answer.ok) return null;
    const { today, sevenDays, thirtyDays } = (await answer.json()) as Record<
      string,
      { count: number; total: number }
    >;
    return JSON.stringify(
      [today, sevenDays, thirtyDays].map((sold) => [sold?.count, Math.round((sold?.total ?? 0) * 100)]),
    );
  } catch {
    return null;
  }
}
