import { getFormProps, useForm } from "@conform-to/react";
import { MAX_TEXT_LENGTH } from "#app/domain/content/limits.ts";
import { STAMP_LIMITS_TEXT } from "#app/domain/stamped-copy/stamp-failure-texts.ts";
import { FormErrors } from "#app/ui/seller/form/errors.tsx";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { type FormReply, RestoredForm, useRestoredForm } from "#app/ui/seller/form/restored-form.tsx";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";
import { Toggle } from "#app/ui/seller/form/toggle.tsx";
import { leavesUnlessOnly } from "#app/ui/seller/form/unsaved-work.tsx";

type Fields = { name: string; url?: string; html?: string; stamp?: string };

/** A new item's form stays open while another one's opens and closes. */
const OF_PAGE = leavesUnlessOnly(["edit"]);

type Props = {
  kind: "file" | "link" | "text";
  intent: string;
  id?: string;
  /** The version of `defaults`; null for a new item. */
  version: string | null;
  defaults?: Fields;
  reply: FormReply | null;
  /** For a file: why its PDF cannot be stamped, null if it can. */
  unstampable?: string | null;
  /** The page that shows what is saved. */
  reload?: string;
  submit: string;
};

/** The form of a link or a text, new or existing, and of an existing file's name. */
export function ItemForm(props: Props) {
  const { defaults, version } = props;
  const { values, key, onSaved } = useRestoredForm(formId(props), { defaults, version: version ?? "" });
  return <FilledForm key={key} {...props} {...values} onSaved={onSaved} />;
}

function formId({ kind, id }: Props): string {
  return `${kind}-${id ?? "novo"}`;
}

function FilledForm(props: Omit<Props, "version"> & { version: string; onSaved: () => void }) {
  const [form, fields] = useForm<Fields>({
    id: formId({ ...props }),
    ...(props.reply ? { lastResult: props.reply } : {}),
    ...(props.defaults ? { defaultValue: props.defaults } : {}),
  });
  return (
    <RestoredForm
      {...getFormProps(form)}
      intent={props.intent}
      version={props.id ? props.version : undefined}
      reply={props.reply}
      reload={props.reload}
      onSaved={props.onSaved}
      leaves={props.id ? undefined : OF_PAGE}
      className="flex flex-col gap-4"
    >
      <FormErrors errors={form.errors} />
      {props.id && <input type="hidden" name="id" value={props.id} />}
      <input type="hidden" name="kind" value={props.kind} />
      <Field
        field={fields.name}
        label="Nome para quem compra"
        placeholder={props.kind === "link" ? "Ex.: Grupo no WhatsApp" : "Ex.: Comece por aqui"}
        maxLength={150}
        required
      />
      {props.kind === "link" && (
        <Field
          field={fields.url}
          label="Endereço"
          type="url"
          placeholder="https://"
          maxLength={2048}
          required
        />
      )}
      {props.kind === "text" && (
        <Textarea
          field={fields.html}
          label="Texto"
          help="Pode ter formatação em HTML: títulos, listas, negrito, links e imagens. O que executa algo é retirado."
          rows={8}
          maxLength={MAX_TEXT_LENGTH}
          required
        />
      )}
      {props.kind === "file" && <StampedCopySwitch field={fields.stamp} unstampable={props.unstampable} />}
      <SubmitButton intent={props.intent} item={props.id} className="btn-primary self-start">
        {props.submit}
      </SubmitButton>
    </RestoredForm>
  );
}

/** Only for files that can be stamped; a switch that is on can always be turned off. */
function StampedCopySwitch({
  field,
  unstampable,
}: {
  field: FieldMeta;
  unstampable?: string | null | undefined;
}) {
  const isOn = field.initialValue === "on";
  const isRefused = Boolean(field.errors?.length);
  if (unstampable && !isOn && !isRefused)
    return (
      <p className="text-base-content/70 text-xs">
        <span className="font-medium text-base-content text-sm">Carimbo com os dados de quem compra</span>
        <br />
        {unstampable} {STAMP_LIMITS_TEXT}
      </p>
    );
  return (
    <Toggle
      field={field}
      label="Carimbar cada página com o nome e o e-mail de quem compra"
      help={`${STAMP_LIMITS_TEXT} No rodapé: “Licenciado para Nome · e-mail · pedido”. A cópia de cada comprador é feita quando ele a baixa e não ocupa o seu espaço.`}
    />
  );
}
