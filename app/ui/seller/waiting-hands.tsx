import { Link } from "@remix-run/react";
import { CircleAlert } from "lucide-react";
import { paths } from "#app/kit/paths.ts";
import { Card } from "#app/ui/seller/card.tsx";

/** A payment that waits for its seller, as it is shown: money and moments as text. */
export type ShownHand = {
  hand: "surplus" | "mispaid" | "refund-unconfirmed" | "news-waiting";
  saleId: string;
  productName: string;
  customerName: string | null;
  amount: string;
  since: string;
};

const WHAT: Record<ShownHand["hand"], { title: string; todo: string }> = {
  surplus: { title: "Pago duas vezes", todo: "Devolva o segundo pagamento" },
  mispaid: { title: "PIX de outro valor", todo: "Devolva ou combine com o comprador" },
  "refund-unconfirmed": { title: "Reembolso não confirmado", todo: "Confira no provedor e conclua" },
  "news-waiting": { title: "Pagamento avisado, sem confirmação", todo: "Verifique agora" },
};

/** What waits for the seller's hand; nothing where nothing does. */
export function WaitingHands({ hands }: { hands: ShownHand[] }) {
  if (hands.length === 0) return null;
  return (
    <Card title="Precisa de você" className="mb-6">
      <ul className="divide-y divide-base-300">
        {hands.map((hand) => (
          <li key={`${hand.saleId} ${hand.hand}`}>
            <Link
              to={paths.sale(hand.saleId)}
              className="flex items-start gap-3 rounded-field py-3 text-sm hover:bg-base-200/60"
            >
              <CircleAlert className="mt-0.5 size-5 shrink-0 text-warning" aria-hidden="true" />
              <span className="min-w-0 grow">
                <span className="font-semibold">{WHAT[hand.hand].title}</span>
                <span className="block break-words text-base-content/70">
                  {hand.productName}
                  {hand.customerName && ` · ${hand.customerName}`} · desde {hand.since}
                </span>
                <span className="block">{WHAT[hand.hand].todo}</span>
              </span>
              <span className="whitespace-nowrap tabular-nums">{hand.amount}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
