import type { ChartPoint } from "#app/domain/reports/figures/chart-points.ts";
import { formatMoney } from "#app/kit/money.ts";
import { areaPath, linePath, niceSteps } from "#app/kit/scale.ts";

/** The SVG has this size and is stretched to the screen's; labels are HTML, so they are not distorted. */
const WIDTH = 1000;
const HEIGHT = 200;

/** Thirty days of revenue as a line, the thirty before them dashed. The report, one link away, has the numbers. */
export function RevenueLine({ points }: { points: ChartPoint[] }) {
  const now = points.map((point) => point.revenueCents / 100);
  const before = points.map((point) => point.previousRevenueCents / 100);
  const isEmpty = [...now, ...before].every((value) => value === 0);
  // Without sales the grid lines have no numbers, which would mean nothing.
  const steps = niceSteps(Math.max(...now, ...before, isEmpty ? 100 : 0), 3);
  const top = steps.at(-1)!;
  const toCoordinates = (values: number[]) =>
    values.map((value, i): [number, number] => [
      (i / (values.length - 1)) * WIDTH,
      HEIGHT * (1 - value / top),
    ]);
  return (
    <figure className="mt-5 flex flex-1 flex-col">
      <div className="relative mr-1.5 ml-18 min-h-40 flex-1 sm:min-h-48">
        {steps.map((step) => (
          <div
            key={step}
            className="absolute inset-x-0 border-base-300 border-t"
            style={{ bottom: `${(step / top) * 100}%` }}
            aria-hidden="true"
          >
            {(step === 0 || !isEmpty) && (
              <span className="-translate-y-1/2 absolute right-full mr-2 whitespace-nowrap text-base-content/70 text-xs tabular-nums">
                R$ {step.toLocaleString("pt-BR", { notation: "compact" })}
              </span>
            )}
          </div>
        ))}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
          aria-hidden="true"
        >
          <path d={areaPath(toCoordinates(now), HEIGHT)} className="fill-primary/10" />
          {before.some((value) => value > 0) && (
            <path
              d={linePath(toCoordinates(before))}
              className="fill-none stroke-base-content/40"
              strokeWidth={1.5}
              strokeDasharray="4 4"
              vectorEffect="non-scaling-stroke"
            />
          )}
          <path
            d={linePath(toCoordinates(now))}
            className="fill-none stroke-primary"
            strokeWidth={2}
            strokeLinejoin="round"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <span
          className="absolute right-0 size-2.5 translate-x-1/2 translate-y-1/2 rounded-full bg-primary ring-2 ring-base-100"
          style={{ bottom: `${(now.at(-1)! / top) * 100}%` }}
          aria-hidden="true"
        />
      </div>
      <div
        className="mt-2 mr-1.5 ml-18 flex justify-between text-base-content/70 text-xs tabular-nums"
        aria-hidden="true"
      >
        <span>{short(points[0]!.last)}</span>
        <span>{short(points[Math.floor(points.length / 2)]!.last)}</span>
        <span>hoje</span>
      </div>
      <figcaption className="sr-only">{describePoints(points)}</figcaption>
    </figure>
  );
}

/** A text alternative for the line. */
function describePoints(points: ChartPoint[]): string {
  const best = points.reduce((highest, point) =>
    point.revenueCents > highest.revenueCents ? point : highest,
  );
  if (best.revenueCents === 0) return "Linha da receita: nenhuma venda paga nos últimos 30 dias.";
  const days = points.filter((point) => point.revenueCents > 0).length;
  return `Linha da receita: vendas pagas em ${days} dos últimos 30 dias; o melhor foi ${short(best.last)}, com ${formatMoney(best.revenueCents)}.`;
}

/** `2026-11-21` as `21/11`. */
function short(day: string): string {
  return `${day.slice(8)}/${day.slice(5, 7)}`;
}
