import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Plus } from "lucide-react";
import { deliveryText, EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { listedKindOf } from "#app/domain/delivery/destinations.server.ts";
import { listDestinations } from "#app/domain/delivery/list-destinations.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { FAMILIES, familyAt } from "#app/ui/seller/destination/families.tsx";
import { StateBadge } from "#app/ui/seller/destination/state-badge.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { LinkRow, RowText } from "#app/ui/seller/frame/link-row.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const family = familyAt(new URL(request.url).pathname);
  const rows = await listDestinations(family, seller.id);
  return {
    family,
    destinations: rows.map((row) => {
      const { address, listedAddress = address, summary } = listedKindOf(row.kind);
      const { last } = row;
      return {
        ...{ id: row.id, name: row.name, stopped: row.stopped, failing: row.failingSince !== null },
        where: listedAddress(row.settings),
        summary: summary(row).join(" · "),
        last: last && {
          at: formatDateTime(new Date(last.at)),
          label: pick(EVENT_TEXTS, last.event)?.label ?? "",
          outcome: deliveryText(last).label,
        },
      };
    }),
  };
}

export default function Destinations() {
  const { family, destinations } = useLoaderData<typeof loader>();
  const { title, text, add, icon, empty, last, footnote } = FAMILIES[family];
  return (
    <Screen
      width="form"
      back={{ to: paths.integrations(), label: "Integrações" }}
      title={title}
      text={text}
      action={
        <Link to={paths.newDestination(family)} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          {add}
        </Link>
      }
    >
      <Card flush>
        {destinations.length === 0 ? (
          <EmptyState icon={icon} {...empty} />
        ) : (
          <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
            {destinations.map((one) => (
              <LinkRow
                key={one.id}
                to={paths.destination(family, one.id)}
                name={one.name}
                badge={<StateBadge stopped={one.stopped} failing={one.failing} />}
              >
                <RowText>{one.where}</RowText>
                <RowText small>{one.summary}</RowText>
                <RowText small>{one.last ? last(one.last) : "Nenhum envio recente"}</RowText>
              </LinkRow>
            ))}
          </ul>
        )}
      </Card>
      {footnote && destinations.length > 0 && <p className="mt-4 text-base-content/70 text-sm">{footnote}</p>}
    </Screen>
  );
}

export const meta: MetaFunction = ({ location }) => [
  { title: `${FAMILIES[familyAt(location.pathname)].title} · Checkintelli` },
];
