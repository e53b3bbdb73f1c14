import { Alert } from "#app/ui/seller/alert.tsx";
import { Field, type FieldMeta } from "#app/ui/seller/form/field.tsx";
import { Textarea } from "#app/ui/seller/form/textarea.tsx";

/** Title, text and button; the purchase is listed between the text and the button. */
export function SimpleEditor({
  fields,
  replacesHtml,
}: {
  fields: Record<"simple_title" | "simple_text" | "simple_button", FieldMeta>;
  replacesHtml: boolean;
}) {
  return (
    <div className="flex flex-col gap-4 group-has-[[name=editor][value=html]:checked]/mail:hidden">
      {replacesHtml && (
        <Alert
          tone="info"
          live={false}
          text="O modelo salvo foi escrito em HTML. Salvar no editor simples o substitui."
        />
      )}
      <Field field={fields.simple_title} label="Título" maxLength={100} required />
      <Textarea
        field={fields.simple_text}
        label="Texto"
        rows={8}
        required
        help="Uma linha em branco começa um parágrafo. Abaixo do texto vêm os itens da compra e o botão."
      />
      <Field
        field={fields.simple_button}
        label="Texto do botão"
        maxLength={60}
        required
        help="Leva à página da compra, na cor do botão do seu checkout."
      />
    </div>
  );
}
