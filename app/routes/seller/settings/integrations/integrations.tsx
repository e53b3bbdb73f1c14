import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import {
  type ConnectionFamilyView,
  loadIntegrations,
} from "#app/routes/seller/settings/integrations/loader.server.ts";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { LinkRow, RowText } from "#app/ui/seller/frame/link-row.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  return { families: await loadIntegrations(seller.id) };
}

export default function IntegrationsScreen() {
  const { families } = useLoaderData<typeof loader>();
  return (
    <Screen
      width="list"
      title="Integrações"
      text="Quem recebe os pagamentos, quem envia os e-mails e quem é avisado das suas vendas."
    >
      <div className="grid items-start gap-4 sm:gap-6 xl:grid-cols-2">
        {families.map((family) => (
          <Family key={family.id} {...family} />
        ))}
      </div>
    </Screen>
  );
}

function Family({ title, text, to, act, connections }: ConnectionFamilyView) {
  return (
    <Card
      title={title}
      badge={connections.length === 0 && <Badge tone="neutral">Não conectado</Badge>}
      text={text}
      flush={connections.length > 0}
      action={
        <Link to={to} className="btn min-h-11 border-base-300 bg-base-100">
          {act}
          <span className="sr-only"> {title}</span>
        </Link>
      }
    >
      {connections.length > 0 && (
        <ul
          aria-label={title}
          className="divide-y divide-base-300 overflow-hidden rounded-b-box border-base-300 border-t"
        >
          {connections.map((one) => (
            <LinkRow
              key={one.id}
              to={one.to}
              name={one.name}
              badge={<Badge tone={one.badge.tone}>{one.badge.label}</Badge>}
            >
              {one.notes.map((note) => (
                <RowText key={note} small>
                  {note}
                </RowText>
              ))}
            </LinkRow>
          ))}
        </ul>
      )}
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: "Integrações · Checkintelli" }];
