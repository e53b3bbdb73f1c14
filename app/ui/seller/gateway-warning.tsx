import { Link } from "@remix-run/react";
import { paths } from "#app/kit/paths.ts";
import { Alert } from "#app/ui/seller/alert.tsx";

/** Warns that nobody can pay this seller, and links to the setting. Nothing if they can be paid. */
export function GatewayWarning({ problem }: { problem: string | null }) {
  if (!problem) return null;
  return (
    <Alert tone="warning" className="mb-6">
      {problem}{" "}
      <Link to={paths.settings("gateways")} className="link font-medium">
        Configurações › Gateways
      </Link>
      .
    </Alert>
  );
}
