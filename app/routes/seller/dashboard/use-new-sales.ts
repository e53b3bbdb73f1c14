import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { DashboardStats } from "#app/domain/reports/figures/dashboard-stats.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import { paths } from "#app/kit/paths.ts";

/** How often a visible dashboard checks for new sales. */
const POLL_INTERVAL_MS = 10 * SECOND;

type Sale = { id: string; status: string };

/**
 * Keeps a visible dashboard current: it reloads when the tab is shown again, and when a sale is paid meanwhile. Network
 * errors are ignored.
 * @returns which sales did not exist, or were not paid, when the page was opened
 */
export function useNewSales(stats: DashboardStats, sales: Sale[]) {
  const { revalidate } = useRevalidator();
  const [first] = useState(() => new Set(sales.map(({ id, status }) => `${id} ${status}`)));
  const latest = useRef("");
  latest.current = JSON.stringify(Object.values(stats).map(({ count, totalCents }) => [count, totalCents]));
  useEffect(() => {
    const checkSales = async (cameBack: boolean) => {
      if (document.visibilityState !== "visible") return;
      const sold = await readStats();
      if (sold !== null && (cameBack || sold !== latest.current)) revalidate();
    };
    const timer = setInterval(() => checkSales(false), POLL_INTERVAL_MS);
    const onReturn = () => checkSales(true);
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [revalidate]);
  return { isNew: ({ id, status }: Sale) => status === "completed" && !first.has(`${id} ${status}`) };
}

/** The current figures, for comparison; null without a response. */
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
