import type { FieldMetadata } from "@conform-to/react";
import type { ReactNode } from "react";
import { Card } from "#app/ui/seller/card.tsx";
import { FieldError } from "#app/ui/seller/form/field.tsx";

/** An event to choose: `name` is its name in the delivery, `more` follows it. */
type Choice = { id: string; label: string; text: string; name: string; more?: ReactNode };

/** Selects a destination's events. */
export function EventsCard(props: { field: FieldMetadata<string[]>; text: string; events: Choice[] }) {
  const { field, text, events } = props;
  const chosen = new Set([field.initialValue ?? []].flat());
  return (
    <Card title="Eventos" text={text}>
      <fieldset
        id={field.id}
        tabIndex={-1}
        aria-label="Eventos"
        aria-describedby={field.errors ? field.errorId : undefined}
        className="divide-y divide-base-300"
      >
        {events.map((event) => (
          <label key={event.id} className="flex min-h-14 cursor-pointer items-center gap-3 py-2.5">
            <input
              type="checkbox"
              name={field.name}
              value={event.id}
              defaultChecked={chosen.has(event.id)}
              className="checkbox checkbox-primary checkbox-sm shrink-0"
            />
            <span className="min-w-0 flex-1 text-sm">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium">{event.label}</span>
                <code className="break-all text-base-content/70 text-xs">{event.name}</code>
                {event.more}
              </span>
              <span className="block text-base-content/70 text-xs">{event.text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <FieldError field={field} />
    </Card>
  );
}
