import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ChevronRight } from "lucide-react";
import {
  loadIntegrations,
  type ShownFamily,
} from "#app/routes/seller/settings/integrations/loader.server.ts";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";
import { requireSeller } from "#app/web/session/guards.server.ts";

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

function Family({ id, title, text, to, act, connections }: ShownFamily) {
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
            <li key={one.id}>
              <Link
                to={one.to}
                data-connection={`${id}/${one.id}`}
                className="flex min-h-14 items-center gap-3 px-5 py-3 hover:bg-base-200"
              >
                <span className="min-w-0 flex-1">
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="wrap-anywhere min-w-0 font-medium">{one.name}</span>
                    <Badge tone={one.badge.tone}>{one.badge.label}</Badge>
                  </span>
                  {one.notes.map((note) => (
                    <span key={note} className="wrap-anywhere mt-0.5 block text-base-content/70 text-xs">
                      {note}
                    </span>
                  ))}
                </span>
                <ChevronRight className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export const meta: MetaFunction = () => [{ title: "Integrações · Checkintelli" }];
