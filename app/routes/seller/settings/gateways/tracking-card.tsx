import { Link } from "@remix-run/react";
import type { TrackingState } from "#app/domain/tracking/find-tracking-state.server.ts";
import { paths } from "#app/kit/paths.ts";
import type { FieldsOf, Gateways } from "#app/routes/seller/settings/gateways/fields.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { TrackingBadge } from "#app/ui/seller/destination/tracking-badge.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

/** Links to the shop's other connections. */
export function IntegrationsCard() {
  return (
    <Card
      title="Outras integrações"
      text="Webhooks, pixels e áreas de membros, e como está cada conexão da loja."
      action={
        <Link to={paths.integrations()} className="btn min-h-11 border-base-300 bg-base-100">
          Ver integrações
        </Link>
      }
    />
  );
}

/** The connection to UTMify. */
export function TrackingCard(props: { fields: FieldsOf; gateways: Gateways; state: TrackingState }) {
  const { fields, gateways, state } = props;
  return (
    <Card
      title="Rastreamento UTMify"
      text="Saiba que anúncio trouxe cada venda."
      action={
        <TrackingBadge
          enabled={gateways.utmfy_enabled}
          hasToken={gateways.utmfy_api_token !== ""}
          {...state}
        />
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Toggle field={fields.utmfy_enabled!} label="Rastreamento ligado" />
        <Link to={paths.trackingSettings()} className="btn min-h-11">
          Configurar rastreamento
        </Link>
      </div>
    </Card>
  );
}
