import type { TrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Badge } from "#app/ui/seller/badge.tsx";
import { Card, Item } from "#app/ui/seller/card.tsx";
import { TrackingBadge } from "#app/ui/seller/destination/tracking-badge.tsx";

const EVENTS = [
  ["purchase", "Compra"],
  ["chargeback", "Chargeback"],
  ["refund", "Reembolso"],
] as const;

export type ConfigurationView = TrackingState & {
  enabled: boolean;
  token: string;
  events: Record<"purchase" | "chargeback" | "refund", boolean>;
  sourceId: string;
  endpoint: string;
  headerFormat: string;
  queued: number;
  products: { id: number; name: string }[];
};

/** The tracking configuration, as it applies to the next sale. */
export function TrackingConfiguration({ state }: { state: ConfigurationView }) {
  const works = state.enabled && state.token !== "";
  return (
    <Card title="Configuração" action={<TrackingBadge {...state} hasToken={state.token !== ""} />}>
      <div className="flex flex-col gap-4">
        {!works && (
          <Alert
            tone="warning"
            text={
              state.enabled
                ? "Falta o token da API: nada é informado à UTMify."
                : "O rastreamento está desligado: nada é informado à UTMify."
            }
          />
        )}
        {works && state.isFailing && (
          <Alert
            tone="warning"
            text="Os últimos envios não chegaram à UTMify. As respostas dela estão nos eventos recentes."
          />
        )}
        {state.queued > 0 && (
          <Alert
            tone="info"
            text={`${state.queued === 1 ? "1 evento espera" : `${state.queued} eventos esperam`} a vez de ser enviado ou uma nova tentativa.`}
          />
        )}
        <details open={!works || undefined}>
          <summary className="flex min-h-11 cursor-pointer items-center text-sm underline">
            Token, endereço, eventos e produtos
          </summary>
          <Details state={state} />
        </details>
      </div>
    </Card>
  );
}

function Details({ state }: { state: ConfigurationView }) {
  return (
    <div className="mt-2 flex flex-col gap-5">
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <Item label="Rastreamento">{state.enabled ? "Ligado" : "Desligado"}</Item>
        <Item label="Token da API">{state.token || "Não configurado"}</Item>
        <Item label="Endpoint">
          <code className="break-all text-xs">{state.endpoint}</code>
        </Item>
        <Item label="Cabeçalho">
          <code className="break-all text-xs">{state.headerFormat}</code>
        </Item>
        <Item label="ID da origem">{state.sourceId}</Item>
        <Item label="Eventos">
          <span className="flex flex-wrap gap-1.5">
            {EVENTS.map(([type, label]) => (
              <Badge key={type} tone={state.events[type] ? "success" : "neutral"}>
                {label}: {state.events[type] ? "ligado" : "desligado"}
              </Badge>
            ))}
          </span>
        </Item>
      </dl>
      <div className="text-sm">
        <h3 className="text-base-content/70 text-xs">Produtos rastreados</h3>
        {state.products.length === 0 ? (
          <p className="mt-1">Nenhum</p>
        ) : (
          <ul className="mt-1.5 flex flex-wrap gap-1.5">
            {state.products.map((product) => (
              <li
                key={product.id}
                className="max-w-full break-words rounded-field border border-base-300 px-2 py-0.5 text-xs"
              >
                {product.name}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
