import type { ChartPoint } from "#app/domain/reports/figures/chart-points.ts";
import { formatMoney } from "#app/kit/money.ts";
import { countSales, describePoint, middle, span } from "#app/routes/seller/reports/chart-text.ts";
import { useHydrated } from "#app/ui/seller/hydrated.ts";

/** The point under the mouse, the finger or the arrow keys: an invisible slider over the plots. */
export function Pointer(props: {
  points: ChartPoint[];
  at: number | null;
  onPoint: (at: number | null) => void;
}) {
  const { points, at, onPoint } = props;
  if (!useHydrated()) return null;
  const point = at === null ? undefined : points[at];
  const left = at === null ? 0 : middle(at, points.length) * 100;
  return (
    <div className="absolute inset-y-0 right-0 left-16">
      {point && (
        <>
          <div className="absolute inset-y-0 w-px bg-base-content/40" style={{ left: `${left}%` }} />
          <div
            className="pointer-events-none absolute top-0 z-10 w-52 rounded-field border border-base-300 bg-base-100 p-3 text-xs shadow-lg"
            style={{ left: `${left}%`, transform: `translateX(-${left}%)` }}
            aria-hidden="true"
          >
            <Details point={point} />
          </div>
        </>
      )}
      <input
        type="range"
        min={0}
        max={points.length - 1}
        value={at ?? points.length - 1}
        aria-label="Ponto do gráfico"
        aria-valuetext={describePoint(points[at ?? points.length - 1]!)}
        className="absolute inset-0 size-full cursor-crosshair touch-pan-y opacity-0"
        onChange={(event) => onPoint(Number(event.target.value))}
        onFocus={() => at === null && onPoint(points.length - 1)}
        onBlur={() => onPoint(null)}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const share = (event.clientX - box.left) / box.width;
          onPoint(Math.min(points.length - 1, Math.max(0, Math.floor(share * points.length))));
        }}
      />
    </div>
  );
}

function Details({ point }: { point: ChartPoint }) {
  return (
    <>
      <p className="font-semibold">{span(point)}</p>
      <p className="mt-1 flex justify-between gap-3">
        <span>{countSales(point.sales)}</span>
        <span className="font-medium">{formatMoney(point.revenueCents)}</span>
      </p>
      <p className="mt-1 flex justify-between gap-3 text-base-content/70">
        <span>Antes: {countSales(point.previousSales)}</span>
        <span>{formatMoney(point.previousRevenueCents)}</span>
      </p>
    </>
  );
}
