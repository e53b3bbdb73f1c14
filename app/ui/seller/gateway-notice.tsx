import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";

/** Says that nobody can pay this seller, and where to change it. Nothing where they can be paid. */
export function GatewayNotice({ problem }: { problem: string | null }) {
  if (!problem) return null;
  return (
    <Notice tone="warning" className="mb-6">
      {problem}{" "}
      <Link to={paths.settings("gateways")} className="link font-medium">
        Configurações › Gateways
      </Link>
      .
    </Notice>
  );
}
