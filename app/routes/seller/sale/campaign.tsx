import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { Card } from "#app/ui/seller/card.tsx";

/** The buyer's campaign; nothing if the checkout's URL had neither source, medium nor campaign. */
export function SaleCampaign({ sale }: { sale: SaleView["sale"] }) {
  if (!sale.utmSource && !sale.utmMedium && !sale.utmCampaign) return null;
  const parameters = [
    ["Source", sale.utmSource],
    ["Medium", sale.utmMedium],
    ["Campaign", sale.utmCampaign],
    ["Term", sale.utmTerm],
    ["Content", sale.utmContent],
  ] as const;
  return (
    <Card title="Parâmetros UTM">
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        {parameters.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-base-content/70 text-xs">{label}</dt>
            <dd className="mt-0.5 break-words">{value || "N/A"}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
