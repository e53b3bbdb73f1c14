import { Link } from "@remix-run/react";
import type { SaleView } from "#app/domain/reports/show-sale.server.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { PanelForm } from "#app/ui/seller/refund-form.tsx";

/** What only the seller can find out of cards that their provider has not decided for long; nothing where there is none. */
export function UndecidedCards({ saleId, cards }: { saleId: string; cards: SaleView["undecidedCards"] }) {
  if (cards.length === 0) return null;
  return (
    <Card id="cartao" title="Cartão sem resposta">
      <div className="flex flex-col gap-5 text-sm">
        {cards.map(({ chargeId, since }) => (
          <div key={chargeId} className="flex flex-col gap-3">
            <Alert
              tone="warning"
              live={false}
              text={`Não sabemos se o cartão enviado ao provedor em ${formatDateTime(since)} foi cobrado, e enquanto isso o comprador não consegue pagar este pedido. Confira no painel do provedor.`}
            />
            <p>
              Foi cobrado? Conecte a mesma conta em{" "}
              <Link to={paths.settings("gateways")} className="link">
                Configurações › Gateways
              </Link>{" "}
              e use “Verificar agora”, no histórico desta venda; ou devolva o valor no painel do provedor.
            </p>
            <div>
              <ConfirmDialog
                trigger="Não foi cobrado"
                triggerClassName="btn min-h-11 border-base-300 font-normal"
                title="O cartão não foi cobrado?"
                text="Use depois de conferir no painel do provedor que o cartão não foi cobrado, ou de devolver o valor por lá. O comprador pode tentar pagar de novo. Nada é pedido ao provedor; se ele confirmar o pagamento mais tarde, isso aparece na venda."
              >
                <PanelForm
                  saleId={saleId}
                  intent="not-charged"
                  chargeId={chargeId}
                  label="Não foi cobrado"
                  harmless
                />
              </ConfirmDialog>
            </div>
          </div>
        ))}
      </div>
    </Card>
  );
}
