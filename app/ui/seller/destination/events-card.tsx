import type { EventChoice } from "#app/domain/delivery/form-card.ts";
import { pick } from "#app/kit/pick.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { FieldError, type FieldMeta } from "#app/ui/seller/form/field.tsx";

/** Selects a destination's events. */
export function EventsCard(props: { field: FieldMeta; text: string; events: EventChoice[] }) {
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
                {event.missingIn?.map((form) => (
                  <NotIn key={form} form={form} />
                ))}
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

const FORMATS: Record<string, { name: string; shown: string }> = {
  kiwify: {
    name: "Kiwify",
    shown: "hidden group-has-[input[name=form][value=kiwify]:checked]:inline",
  },
  hotmart: {
    name: "Hotmart",
    shown: "hidden group-has-[input[name=form][value=hotmart]:checked]:inline",
  },
};

/** Shown while that format is selected. */
function NotIn({ form }: { form: string }) {
  const format = pick(FORMATS, form);
  return (
    format && (
      <span className={format.shown}>
        <Badge tone="neutral">Não existe na {format.name}</Badge>
      </span>
    )
  );
}
