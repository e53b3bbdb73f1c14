import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { GraduationCap, Plus } from "lucide-react";
import { deliveryText, EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { listMemberAreas } from "#app/domain/delivery/member-area/list-member-areas.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { whereOf } from "#app/routes/seller/settings/members/loader.server.ts";
import { DestinationRow, plural } from "#app/routes/seller/settings/webhooks/destination-row.tsx";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const areas = await listMemberAreas(seller.id);
  return {
    areas: areas.map((area) => ({
      ...{ id: area.id, name: area.name, stopped: area.stopped, failing: area.failing },
      where: whereOf(area),
      products: area.productIds?.length ?? null,
      revokes: area.revokes,
      last: area.last && {
        at: formatDateTime(new Date(area.last.at)),
        label: pick(EVENT_TEXTS, area.last.event)?.label ?? "",
        outcome: deliveryText(area.last),
      },
    })),
  };
}

export default function MemberAreas() {
  const { areas } = useLoaderData<typeof loader>();
  return (
    <Screen
      width="form"
      back={{ to: paths.integrations(), label: "Integrações" }}
      title="Áreas de membros"
      text="Quem paga recebe o acesso na hora, no e-mail da compra; quem corrige o e-mail, no novo."
      action={
        <Link to={paths.newMemberArea()} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          Conectar área
        </Link>
      }
    >
      <Card flush>
        {areas.length === 0 ? (
          <EmptyState
            icon={GraduationCap}
            title="Nenhuma área de membros ainda"
            text="Conecte a Cademí ou a MemberKit e o acesso é liberado a cada venda, com order bumps e upsells. A sua é outra? Use um webhook."
          />
        ) : (
          <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
            {areas.map((area) => (
              <DestinationRow
                key={area.id}
                to={paths.memberArea(area.id)}
                name={area.name}
                stopped={area.stopped}
                failing={area.failing}
                where={area.where}
                summary={[
                  describeProducts(area.products),
                  ...(area.revokes ? ["encerra em reembolso"] : []),
                ].join(" · ")}
                last={
                  area.last
                    ? `Último: ${area.last.label}, ${area.last.at} · ${area.last.outcome.label}`
                    : "Nada enviado ainda"
                }
              />
            ))}
          </ul>
        )}
      </Card>
    </Screen>
  );
}

function describeProducts(products: number | null): string {
  if (products === null) return "Todos os produtos";
  return products === 0 ? "Nenhum produto ligado" : plural(products, "produto");
}

export const meta: MetaFunction = () => [{ title: "Áreas de membros · Checkintelli" }];
