import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Notice } from "#app/ui/seller/notice.tsx";

/** Says that nobody can pay this seller, why, and where to change it. Nothing where they can be paid. */
export function GatewayNotice({ problem }: { problem: { isError: boolean; text: string } | null }) {
  if (!problem) return null;
  return (
    <Notice tone={problem.isError ? "error" : "warning"} className="mb-6">
      {problem.text}{" "}
      <Link to={paths.settings("gateways")} className="link font-medium">
        Configurações › Gateways
      </Link>
      .
    </Notice>
  );
}
