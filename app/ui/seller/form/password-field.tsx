import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/** A password input with a button to show it, which appears once JavaScript runs. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, "type" | "suffix">) {
  const [isVisible, setIsVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <Field
      {...props}
      type={isVisible ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      suffix={
        <Scripted>
          <button
            type="button"
            className="-mr-3 grid size-11 place-items-center rounded-field"
            aria-pressed={isVisible}
            onClick={() => setIsVisible(!isVisible)}
          >
            <Icon className="size-4" aria-hidden="true" />
            <span className="sr-only">Mostrar {named(props.label)}</span>
          </button>
        </Scripted>
      }
    />
  );
}

/** A new password, and once more. */
export function NewPasswordFields(props: Record<"password" | "confirmPassword", FieldMeta>) {
  return (
    <>
      <PasswordField
        field={props.password}
        label="Nova senha"
        help="Pelo menos 8 caracteres."
        autoComplete="new-password"
        required
      />
      <PasswordField
        field={props.confirmPassword}
        label="Confirmar nova senha"
        autoComplete="new-password"
        required
      />
    </>
  );
}

/** A label within a sentence: "senha", "API Key", "confirmação da nova senha". */
function named(label: string): string {
  const noun = label.replace(/^Confirmar /, "confirmação da ");
  return /^\p{Lu}{2}/u.test(noun) ? noun : noun[0]!.toLowerCase() + noun.slice(1);
}
