import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** Shown when a resend fails in the network. Source: spec, error catalogue. */
export const RESEND_FAILED = "Erro ao reenviar email";

/** The intent of a sale's resend button, so that each has its own pending state. */
export function resendIntent(saleId: string): string {
  return `resend ${saleId}`;
}

/** The sale to resend according to a posted intent; null for other intents. */
export function saleToResend(intent: unknown): string | null {
  return /^resend (\S+)$/.exec(String(intent))?.[1] ?? null;
}

/** Mails a sale's access once more; posts to the current page. */
export function ResendButton(props: { saleId: string; label?: string; to?: string; className?: string }) {
  return (
    <Form method="post" preventScrollReset className="inline-block">
      <SubmitButton
        intent={resendIntent(props.saleId)}
        pending="Reenviando..."
        className={props.className ?? "btn-ghost btn-sm px-2"}
      >
        {props.label ?? "Reenviar"}
        {props.to && (
          <span className="sr-only">
            {props.label ? "" : " o acesso"} para {props.to}
          </span>
        )}
      </SubmitButton>
    </Form>
  );
}
