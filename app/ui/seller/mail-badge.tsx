import { pick } from "#app/kit/pick.ts";
import { Badge, type BadgeTone } from "#app/ui/seller/badge.tsx";

const STATUSES: Record<string, [BadgeTone, string]> = {
  sent: ["success", "Enviado"],
  attempting: ["info", "Tentando"],
  failed: ["error", "Falhou"],
};

/** A mail's state: sent green, attempting blue, failed red, anything else grey. */
export function MailBadge({ status }: { status: string }) {
  const [tone, label] = pick(STATUSES, status) ?? (["neutral", status] as const);
  return <Badge tone={tone}>{label}</Badge>;
}
