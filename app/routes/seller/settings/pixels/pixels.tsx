import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Plus, Radar } from "lucide-react";
import { deliveryText, EVENT_TEXTS } from "#app/domain/delivery/delivery-text.server.ts";
import { listPixels } from "#app/domain/delivery/pixel/list-pixels.server.ts";
import { PIXEL_NAMES } from "#app/domain/delivery/pixel/settings.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { DestinationRow, plural } from "#app/routes/seller/settings/webhooks/destination-row.tsx";
import { requireSeller } from "#app/server/session/guards.server.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { Screen } from "#app/ui/seller/frame/screen.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const seller = await requireSeller(request);
  const pixels = await listPixels(seller.id);
  return {
    pixels: pixels.map(({ id, kind, name, pixelId, productIds, countsPixSince, stopped, failing, last }) => ({
      id,
      service: PIXEL_NAMES[kind],
      name,
      pixelId,
      products: productIds?.length ?? null,
      countsPix: countsPixSince !== null,
      stopped,
      failing,
      last: last && {
        at: formatDateTime(new Date(last.at)),
        label: pick(EVENT_TEXTS, last.event)?.label ?? "",
        outcome: deliveryText(last),
      },
    })),
  };
}

export default function Pixels() {
  const { pixels } = useLoaderData<typeof loader>();
  return (
    <Screen
      width="form"
      back={{ to: paths.integrations(), label: "Integrações" }}
      title="Pixels e conversões"
      text="Informe às plataformas de anúncio o que cada anúncio vendeu, sem scripts no checkout."
      action={
        <Link to={paths.newPixel()} className="btn btn-primary min-h-11">
          <Plus className="size-4" aria-hidden="true" />
          Novo pixel
        </Link>
      }
    >
      <Card flush>
        {pixels.length === 0 ? (
          <EmptyState
            icon={Radar}
            title="Nenhum pixel ainda"
            text="Conecte Meta, Google Analytics, TikTok ou Kwai para saber que anúncio vende. O checkout passa a perguntar ao comprador se ele aceita."
          />
        ) : (
          <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
            {pixels.map((pixel) => (
              <DestinationRow
                key={pixel.id}
                to={paths.pixel(pixel.id)}
                name={pixel.name}
                stopped={pixel.stopped}
                failing={pixel.failing}
                where={`${pixel.service} · ${pixel.pixelId}`}
                summary={[
                  pixel.products === null ? "Todos os produtos" : plural(pixel.products, "produto"),
                  ...(pixel.countsPix ? ["PIX gerado conta como compra"] : []),
                ].join(" · ")}
                last={
                  pixel.last
                    ? `Último: ${pixel.last.label}, ${pixel.last.at} · ${pixel.last.outcome.label}`
                    : "Nada enviado ainda"
                }
              />
            ))}
          </ul>
        )}
      </Card>
      {pixels.length > 0 && (
        <p className="mt-4 text-base-content/70 text-sm">
          O comprador é perguntado no checkout se aceita. Sem o aceite, Meta, TikTok e Kwai não recebem a
          venda, e o Google recebe só o valor, sem nada que o identifique. O CPF nunca é enviado. Se a sua
          própria página também dispara o pixel, use como identificador{" "}
          <code className="break-all">purchase.&lt;id da venda&gt;</code>, e a compra conta uma vez.
        </p>
      )}
    </Screen>
  );
}

export const meta: MetaFunction = () => [{ title: "Pixels e conversões · Checkintelli" }];
