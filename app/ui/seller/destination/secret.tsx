import { Alert } from "#app/ui/seller/alert.tsx";
import { Card } from "#app/ui/seller/card.tsx";
import { ConfirmDialog } from "#app/ui/seller/confirm-dialog.tsx";
import { CopyButton } from "#app/ui/seller/copy-button.tsx";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** The signing secret: a mask, or its text after a recent sign-in. */
export function SecretCard(props: { secret: string; revealed: string | null; until: string | null }) {
  return (
    <Card
      title="Segredo"
      text="Com ele a ferramenta confere que o aviso é nosso. Vale para todos os formatos."
    >
      <div className="flex items-center gap-1 rounded-field border border-base-300 bg-base-200 py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 select-all break-all py-2 text-xs">
          {props.revealed ?? props.secret}
        </code>
        {props.revealed && <CopyButton text={props.revealed} label="Copiar segredo" iconOnly />}
      </div>
      {props.until && (
        <Alert
          tone="info"
          className="mt-3"
          live={false}
          text={`O segredo anterior assina também até ${props.until}: troque-o na ferramenta até lá.`}
        />
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {!props.revealed && (
          <Form method="post">
            <SubmitButton intent="reveal" pending="Abrindo..." className="border-base-300">
              Mostrar segredo
            </SubmitButton>
          </Form>
        )}
        <ConfirmDialog
          trigger="Trocar segredo"
          title="Trocar o segredo?"
          text={`Por 24 horas o novo e o atual assinam cada aviso, para dar tempo de trocá-lo na ferramenta. Depois só o novo vale.${
            props.until ? " O anterior ao atual, que ainda assina, deixa de assinar agora." : ""
          }`}
        >
          <Form method="post">
            {/* A form that is sent again replaces nothing more. */}
            <input type="hidden" name="secret" value={props.secret} />
            <SubmitButton intent="rotate" pending="Trocando..." className="btn-primary">
              Trocar
            </SubmitButton>
          </Form>
        </ConfirmDialog>
      </div>
    </Card>
  );
}
