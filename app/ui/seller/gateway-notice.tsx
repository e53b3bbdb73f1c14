import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";

/** Says that nobody can pay this seller, why, and where to change it. Nothing where they can be paid. */
export function GatewayNotice(props: { canTakePayments: boolean; keyRefused: boolean }) {
  if (props.canTakePayments && !props.keyRefused) return null;
  return (
    <Notice tone={props.keyRefused ? "error" : "warning"} className="mb-6">
      {props.keyRefused
        ? "A PushinPay recusou a sua API Key, e ninguém consegue pagar: confira a chave em "
        : "Seus checkouts ainda não recebem pagamentos: conecte a PushinPay em "}
      <Link to={paths.settings("gateways")} className="link font-medium">
        Configurações › Gateways
      </Link>
      .
    </Notice>
  );
}
