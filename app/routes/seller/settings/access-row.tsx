import type { LucideIcon } from "lucide-react";
import { Form } from "#app/ui/seller/form/form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** One way to sign in to the account. `end`: the button that ends it alone. */
export function AccessRow(props: {
  icon: LucideIcon;
  title: string;
  text: string;
  end?: { intent: string; label: string; pending?: string };
}) {
  const { icon: Icon, title, text, end } = props;
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <Icon className="size-5 shrink-0 text-base-content/60" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere font-medium text-sm">{title}</p>
        <p className="text-base-content/70 text-xs">{text}</p>
      </div>
      {end && (
        <Form method="post">
          <SubmitButton
            intent={end.intent}
            pending={end.pending ?? "Encerrando..."}
            className="btn-sm border-base-300"
          >
            {end.label}
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}
