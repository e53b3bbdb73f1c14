import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from "lucide-react";
import type { SpamCheck } from "#app/domain/mail/template/spam-check.ts";
import { Card } from "#app/ui/seller/card.tsx";

const STATE_STYLES: Record<SpamCheck["state"], { icon: typeof CircleCheck; color: string; label: string }> = {
  ok: { icon: CircleCheck, color: "text-success", label: "Em ordem" },
  warn: { icon: TriangleAlert, color: "text-warning-content dark:text-warning", label: "Atenção" },
  fail: { icon: CircleX, color: "text-error", label: "Corrija" },
  unknown: { icon: CircleHelp, color: "text-base-content/70", label: "Não consultado" },
};

/** Reasons why the seller's mails may be treated as spam, and remedies. */
export function SpamTab({ sender, content }: { sender: SpamCheck[]; content: SpamCheck[] }) {
  const all = [...sender, ...content];
  const fine = all.filter((check) => check.state === "ok").length;
  return (
    <div className="flex flex-col gap-6">
      <p className="text-base-content/80" role="status">
        <strong>
          {fine} de {all.length}
        </strong>{" "}
        verificações em ordem, feitas agora com o modelo e o domínio salvos.
      </p>
      <Checks title="Domínio e remetente" checks={sender} />
      <Checks title="Conteúdo do e-mail" checks={content} />
    </div>
  );
}

function Checks({ title, checks }: { title: string; checks: SpamCheck[] }) {
  return (
    <Card title={title} flush>
      <ul className="divide-y divide-base-300 border-base-300 border-t">
        {checks.map((check) => {
          const { icon: Icon, color, label } = STATE_STYLES[check.state];
          return (
            <li key={check.id} className="flex gap-3 px-5 py-4">
              <Icon className={`mt-0.5 size-5 shrink-0 ${color}`} aria-hidden="true" />
              <div className="min-w-0 flex-1 text-sm">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{check.title}</span>
                  <span className="text-base-content/70 text-xs">{label}</span>
                </p>
                <p className="mt-0.5 break-words text-base-content/80">{check.text}</p>
                {check.fix && check.state !== "ok" && (
                  <p className="mt-1 break-words">
                    <strong className="font-medium">O que fazer:</strong> {check.fix}
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
