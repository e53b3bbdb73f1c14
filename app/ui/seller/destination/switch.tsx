import { Pause, Play, Trash2 } from "lucide-react";
import type { Family } from "#app/domain/delivery/kind.ts";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { FAMILIES } from "#app/ui/seller/destination/families.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Switched = { family: Family; name: string; isStopped: boolean };

/** Pauses a destination, resumes it, deletes it. */
export function Switch({ family, name, isStopped }: Switched) {
  const { article, noun, lossWarning } = FAMILIES[family];
  return (
    <Card title={isStopped ? "Reativar ou excluir" : "Pausar ou excluir"}>
      <div className="flex flex-wrap gap-2">
        <Form method="post">
          {isStopped ? (
            <SubmitButton intent="resume" pending="Reativando..." className="btn-primary">
              <Play className="size-4" aria-hidden="true" />
              Reativar
            </SubmitButton>
          ) : (
            <SubmitButton intent="pause" pending="Pausando..." className="border-base-300">
              <Pause className="size-4" aria-hidden="true" />
              Pausar
            </SubmitButton>
          )}
        </Form>
        <ConfirmDialog
          trigger={
            <>
              <Trash2 className="size-4" aria-hidden="true" />
              Excluir
            </>
          }
          triggerClassName="btn btn-ghost min-h-11 text-error"
          title={`Excluir ${article} ${noun} ${name}?`}
          text={`${lossWarning} Isso não pode ser desfeito.`}
        >
          <Form method="post">
            <SubmitButton intent="delete" pending="Excluindo..." className="btn-error">
              Excluir {noun}
            </SubmitButton>
          </Form>
        </ConfirmDialog>
      </div>
    </Card>
  );
}
