import { causeLabel } from "#app/domain/reports/labels.ts";
import type { ShownSale } from "#app/domain/reports/show-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { StatusBadge } from "#app/ui/seller/status-badge.tsx";

/** Every change of a sale's state: when, to what, and why. */
export function SaleHistory({ events }: { events: ShownSale["events"] }) {
  return (
    <Card title="Histórico">
      <ol className="flex flex-col gap-4 border-base-300 border-l pl-4">
        {events.map((event) => (
          <li
            key={event.id}
            className="relative text-sm before:absolute before:top-1.5 before:-left-[1.32rem] before:size-2.5 before:rounded-full before:bg-base-content/40"
          >
            <p className="flex flex-wrap items-center gap-2">
              <StatusBadge status={event.toStatus} />
              <span className="text-base-content/70 text-xs">{formatDateTime(event.at)}</span>
            </p>
            <p className="mt-1 break-words">{causeLabel(event.cause)}</p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
