import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";

/** Says that nobody can pay this seller yet, and where to change it. Nothing where they can be paid. */
export function GatewayNotice({ canTakePayments }: { canTakePayments: boolean }) {
  if (canTakePayments) return null;
  return (
    <Notice tone="warning" className="mb-6">
      Seus checkouts ainda não recebem pagamentos: conecte a PushinPay em{" "}
      <Link to={paths.settings("gateways")} className="link font-medium">
        Configurações › Gateways
      </Link>
      .
    </Notice>
  );
}
