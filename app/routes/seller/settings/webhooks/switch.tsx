import { Form } from "@remix-run/react";
import { Pause, Play, Trash2 } from "lucide-react";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

type Switched = { called: "webhook" | "pixel" | "área"; name: string; stopped: boolean; lossWarning: string };

/** Pauses a destination, resumes it, deletes it. */
export function Switch(props: Switched) {
  return (
    <div className="mt-5 flex flex-wrap gap-2 border-base-300 border-t pt-4">
      <Form method="post">
        {props.stopped ? (
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
        title={`Excluir ${props.called === "área" ? "a" : "o"} ${props.called} ${props.name}?`}
        text={`${props.lossWarning} Isso não pode ser desfeito.`}
      >
        <Form method="post">
          <SubmitButton intent="delete" pending="Excluindo..." className="btn-error">
            Excluir {props.called}
          </SubmitButton>
        </Form>
      </ConfirmDialog>
    </div>
  );
}
