import { Alert } from "#app/ui/seller/alert.tsx";
import type { FieldMeta } from "#app/ui/seller/form/field.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";

/** A switch that explains what stops working while it is off; shown by the stylesheet, without JavaScript. */
export function ExplainedToggle(props: {
  field: FieldMeta;
  label: string;
  help?: string;
  offText: string;
  tone?: "warning" | "info";
}) {
  return (
    <div className="group/off">
      <Toggle field={props.field} label={props.label} help={props.help} />
      <div role="status" className="mt-2 group-has-[:checked]/off:hidden">
        <Alert tone={props.tone ?? "warning"} live={false} text={props.offText} />
      </div>
    </div>
  );
}
