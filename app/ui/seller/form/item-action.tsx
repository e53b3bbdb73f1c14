import type { ReactNode } from "react";
import { ItemForm } from "#app/ui/seller/form/item-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/**
 * An icon that does something with one item of a list: `label` and `pending` ('Duplicando') are followed by its name. `at`: when
 * the page was opened, for what the same form does once.
 */
export function ItemAction(props: {
  id: string | number;
  intent: string;
  label: string;
  pending: string;
  name: string;
  at?: number;
  disabled?: boolean;
  icon: ReactNode;
}) {
  const { id, intent, label, name } = props;
  return (
    <ItemForm id={id}>
      {props.at && <input type="hidden" name="at" value={props.at} />}
      <SubmitButton
        intent={intent}
        item={String(id)}
        disabled={props.disabled ?? false}
        pending={
          <span className="sr-only">
            {props.pending} {name}...
          </span>
        }
        className="btn-ghost btn-square size-11"
        title={label}
      >
        {props.icon}
        <span className="sr-only">
          {label} {name}
        </span>
      </SubmitButton>
    </ItemForm>
  );
}
