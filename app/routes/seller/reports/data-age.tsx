import { Alert } from "#app/ui/seller/alert.tsx";

/** States that figures are older than a minute, where they are. */
export function DataAge({ minutes }: { minutes: number | null }) {
  if (minutes === null) return null;
  const age = `${minutes} ${minutes === 1 ? "minuto" : "minutos"}`;
  const text = `Dados de ${age} atrás. O que aconteceu depois ainda não aparece aqui.`;
  return <Alert tone="info" live={false} className="mb-4" text={text} />;
}
