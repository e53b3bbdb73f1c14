import { useState } from "react";
import type { ChartPoint } from "#app/domain/reports/figures/chart-points.ts";
import { areaPath, linePath, niceSteps } from "#app/kit/scale.ts";
import { Pointer } from "#app/routes/seller/reports/chart-pointer.tsx";
import { NumbersTable } from "#app/routes/seller/reports/chart-table.tsx";
import { middle, short } from "#app/routes/seller/reports/chart-text.ts";

/** The SVG has this size and is stretched to the screen's; labels are HTML, so they are not distorted. */
const WIDTH = 1000;
const HEIGHT = 200;

/** Revenue above, number of sales below, each with the previous period; the same numbers in a table underneath. */
export function SalesChart({ points, days }: { points: ChartPoint[]; days: number }) {
  const [pointed, setAt] = useState<number | null>(null);
  // Back in a shorter period there may be no such point.
  const at = pointed !== null && pointed < points.length ? pointed : null;
  const money = points.map((p) => p.revenueCents / 100);
  const moneyBefore = points.map((p) => p.previousRevenueCents / 100);
  return (
    <figure>
      <Legend days={days} />
      <div className="relative" onPointerLeave={() => setAt(null)}>
        <Plot
          title="Receita"
          tall
          now={money}
          before={moneyBefore}
          at={at}
          label={(value) => `R$ ${value.toLocaleString("pt-BR", { notation: "compact" })}`}
        />
        <Plot
          title="Vendas"
          now={points.map((p) => p.sales)}
          before={points.map((p) => p.previousSales)}
          at={at}
          label={(value) => value.toLocaleString("pt-BR", { notation: "compact" })}
        />
        <Pointer points={points} at={at} onPoint={setAt} />
      </div>
      <DayLabels points={points} />
      <NumbersTable points={points} />
    </figure>
  );
}

function Legend({ days }: { days: number }) {
  return (
    <figcaption className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      <span className="flex items-center gap-2">
        <span className="h-0.5 w-5 bg-primary" aria-hidden="true" />
        Este período
      </span>
      <span className="flex items-center gap-2 text-base-content/80">
        <span className="w-5 border-base-content/50 border-t-2 border-dashed" aria-hidden="true" />
        {days} dias anteriores
      </span>
    </figcaption>
  );
}

function Plot(props: {
  title: string;
  tall?: boolean;
  now: number[];
  before: number[];
  at: number | null;
  label: (value: number) => string;
}) {
  const steps = niceSteps(Math.max(...props.now, ...props.before), props.tall ? 4 : 2);
  const top = steps.at(-1)!;
  const toCoordinates = (values: number[]) =>
    values.map((value, i): [number, number] => [
      middle(i, values.length) * WIDTH,
      HEIGHT * (1 - value / top),
    ]);
  const now = toCoordinates(props.now);
  const single = now.length === 1;
  return (
    <div className="mt-4 first:mt-0">
      <p className="font-medium text-xs">{props.title}</p>
      <div className={`relative mt-3 ml-16 ${props.tall ? "h-48 sm:h-56" : "h-20"}`}>
        {steps.map((step) => (
          <div
            key={step}
            className="absolute inset-x-0 border-base-300 border-t"
            style={{ bottom: `${(step / top) * 100}%` }}
          >
            <span className="-translate-y-1/2 absolute right-full mr-2 whitespace-nowrap text-base-content/70 text-xs tabular-nums">
              {props.label(step)}
            </span>
          </div>
        ))}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
          aria-hidden="true"
        >
          {props.tall && !single && <path d={areaPath(now, HEIGHT)} className="fill-primary/10" />}
          {!props.tall &&
            now.map(([x, y]) => (
              <rect
                key={x}
                x={x - (WIDTH / now.length) * 0.35}
                width={(WIDTH / now.length) * 0.7}
                y={y}
                height={HEIGHT - y}
                className="fill-primary/70"
              />
            ))}
          <path
            d={linePath(toCoordinates(props.before))}
            className="fill-none stroke-base-content/50"
            strokeWidth={1.5}
            strokeDasharray="4 4"
            vectorEffect="non-scaling-stroke"
          />
          {props.tall && (
            <path
              d={linePath(now)}
              className="fill-none stroke-primary"
              strokeWidth={2}
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        {props.at !== null && props.tall && (
          <span
            className="-translate-x-1/2 pointer-events-none absolute size-2.5 translate-y-1/2 rounded-full bg-primary ring-2 ring-base-100"
            style={{
              left: `${middle(props.at, props.now.length) * 100}%`,
              bottom: `${(props.now[props.at]! / top) * 100}%`,
            }}
            aria-hidden="true"
          />
        )}
      </div>
    </div>
  );
}

/** The days below: for each point if there is room, else for five. */
function DayLabels({ points }: { points: ChartPoint[] }) {
  const last = points.length - 1;
  const labelled =
    points.length <= 7 ? points.map((_, i) => i) : [0, 0.25, 0.5, 0.75, 1].map((s) => Math.round(s * last));
  return (
    <div className="relative mt-2 ml-16 h-4 text-base-content/70 text-xs tabular-nums" aria-hidden="true">
      {labelled.map((i, order) => (
        <span
          key={i}
          className={`-translate-x-1/2 absolute ${order % 2 === 1 ? "hidden sm:inline" : ""}`}
          style={{ left: `${middle(i, points.length) * 100}%` }}
        >
          {short(points[i]!.last)}
        </span>
      ))}
    </div>
  );
}
