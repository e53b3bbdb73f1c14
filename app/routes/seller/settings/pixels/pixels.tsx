import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ArrowLeft, ChevronRight, Plus, Radar } from "lucide-react";
import { EVENT_WORDS, wordsOf } from "#app/domain/outbox/news-words.server.ts";
import { listPixels } from "#app/domain/outbox/pixel/list-pixels.server.ts";
import { PIXEL_NAMES } from "#app/domain/outbox/pixel/settings.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { pick } from "#app/kit/pick.ts";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { EmptyState } from "#app/ui/seller/empty-state.tsx";
import { PageHeader } from "#app/ui/seller/frame/page-header.tsx";
import { requireSeller } from "#app/web/session/guards.server.ts";

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
        label: pick(EVENT_WORDS, last.event)?.label ?? "",
        words: wordsOf(last),
      },
    })),
  };
}

export default function Pixels() {
  const { pixels } = useLoaderData<typeof loader>();
  return (
    <div className="max-w-3xl">
      <Link to={paths.settings("gateways")} className="btn btn-ghost -ml-3 mb-2 min-h-11">
        <ArrowLeft className="size-4" aria-hidden="true" />
        Configurações
      </Link>
      <PageHeader
        title="Pixels e conversões"
        text="Diga a quem veiculou o anúncio o que ele vendeu, sem scripts no checkout."
        action={
          <Link to={paths.newPixel()} className="btn btn-primary min-h-11">
            <Plus className="size-4" aria-hidden="true" />
            Novo pixel
          </Link>
        }
      />
      <Card flush>
        {pixels.length === 0 ? (
          <EmptyState
            icon={Radar}
            title="Nenhum pixel ainda"
            text="Ligue Meta, Google Analytics, TikTok ou Kwai para saber que anúncio vende. O checkout passa a perguntar ao comprador se ele aceita."
          />
        ) : (
          <ul className="-mt-4 divide-y divide-base-300 overflow-hidden rounded-box">
            {pixels.map((pixel) => (
              <li key={pixel.id}>
                <Link
                  to={paths.pixel(pixel.id)}
                  className="flex min-h-16 items-center gap-3 px-5 py-4 hover:bg-base-200"
                >
                  <span className="min-w-0 flex-1">
                    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                      <span className="min-w-0 break-words font-medium">{pixel.name}</span>
                      <StateBadge {...pixel} />
                    </span>
                    <span className="mt-0.5 block break-all text-base-content/70 text-sm">
                      {pixel.service} · {pixel.pixelId}
                    </span>
                    <span className="mt-1 block text-base-content/70 text-xs">
                      {pixel.products === null
                        ? "Todos os produtos"
                        : `${pixel.products} ${pixel.products === 1 ? "produto" : "produtos"}`}
                      {pixel.countsPix && " · PIX gerado conta como compra"}
                    </span>
                    <span className="mt-1 block text-base-content/70 text-xs">
                      {pixel.last
                        ? `Último: ${pixel.last.label}, ${pixel.last.at} · ${pixel.last.words.label}`
                        : "Nada enviado ainda"}
                    </span>
                  </span>
                  <ChevronRight className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
                </Link>
              </li>
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
    </div>
  );
}

export const meta: MetaFunction = () => [{ title: "Pixels e conversões · Checkintelli" }];
